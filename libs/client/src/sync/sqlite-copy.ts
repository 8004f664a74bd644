import { type Copy, CopyRefused, LISTS, type List, type Owner, type Row, sameOwner, type Time } from './copy';

const VERSION = 1;
const PAGE = 10_000;

/** What is used of `node:sqlite`, which Node 20 does not have. */
interface Database {
  exec(sql: string): void;
  prepare(sql: string): {
    all(...values: (string | number | null)[]): Record<string, string>[];
    run(...values: (string | number | null)[]): void;
  };
  close(): void;
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS copy (version INTEGER NOT NULL, owner TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS positions (list TEXT PRIMARY KEY, since TEXT);
  ${Object.keys(LISTS)
    .map(
      (list) => `
        CREATE TABLE IF NOT EXISTS ${list} (id TEXT PRIMARY KEY, updated_at TEXT NOT NULL, data TEXT NOT NULL);
        CREATE INDEX IF NOT EXISTS ${list}_by_bucket ON ${list} (substr(id, -2), id, updated_at);`,
    )
    .join('')}
`;

/** A copy in a SQLite file: a table for each list, with its items as `data` (JSON). */
export class SqliteCopy implements Copy {
  private constructor(
    private readonly database: Database,
    readonly owner: Owner,
    private readonly positions: Map<List, string>,
  ) {}

  /** @throws CopyRefused, or the error of SQLite */
  static async open(file: string, key: Owner): Promise<SqliteCopy> {
    const name: string = 'node:sqlite';
    const sqlite = await import(name).catch(() => {
      throw new CopyRefused(
        `Node ${process.versions.node} has no SQLite. Use Node 22.13 or later, or specify a folder or a PostgreSQL database with --to.`,
      );
    });
    const database: Database = new sqlite.DatabaseSync(file);
    try {
      database.exec(SCHEMA);
      const [stored] = database.prepare('SELECT version, owner FROM copy').all();
      if (!stored) database.prepare('INSERT INTO copy VALUES (?, ?)').run(VERSION, JSON.stringify(key));
      else if (Number(stored.version) !== VERSION) {
        throw new CopyRefused('The copy was made by another release of the client.');
      } else sameOwner(JSON.parse(stored.owner as string), key);
      const positions = database.prepare('SELECT list, since FROM positions').all();
      return new SqliteCopy(
        database,
        key,
        new Map(
          positions.flatMap(({ list, since }) => (since === null ? [] : [[list as List, since as string]])),
        ),
      );
    } catch (error) {
      database.close();
      throw error;
    }
  }

  since(list: List): string | undefined {
    return this.positions.get(list);
  }

  async store(list: List, rows: readonly Row[], since: string | undefined): Promise<void> {
    this.atOnce(() => {
      const insert = this.database.prepare(`INSERT OR REPLACE INTO ${list} VALUES (?, ?, ?)`);
      for (const row of rows) insert.run(row.id, row.updatedAt, JSON.stringify(row));
      this.database.prepare('INSERT OR REPLACE INTO positions VALUES (?, ?)').run(list, since ?? null);
    });
    if (since !== undefined) this.positions.set(list, since);
  }

  async remove(list: List, ids: readonly string[]): Promise<void> {
    this.atOnce(() => {
      const remove = this.database.prepare(`DELETE FROM ${list} WHERE id = ?`);
      for (const id of ids) remove.run(id);
    });
  }

  async *times(list: List, bucket?: string): AsyncIterable<Time> {
    const page = this.database.prepare(
      `SELECT id, updated_at FROM ${list}
       WHERE (substr(id, -2), id) > (?, ?) ${bucket === undefined ? '' : `AND substr(id, -2) = ?`}
       ORDER BY substr(id, -2), id LIMIT ${PAGE}`,
    );
    for (let last = ''; ; ) {
      const rows = page.all(last.slice(-2), last, ...(bucket === undefined ? [] : [bucket]));
      for (const { id, updated_at } of rows) yield [id as string, updated_at as string];
      last = rows.at(-1)?.id ?? '';
      if (rows.length < PAGE) return;
    }
  }

  async settle(): Promise<void> {}

  async close(): Promise<void> {
    this.database.close();
  }

  private atOnce(change: () => void): void {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      change();
      this.database.exec('COMMIT');
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
  }
}
