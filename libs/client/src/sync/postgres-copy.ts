import type { Client } from 'pg';
import { type Copy, CopyRefused, LISTS, type List, type Owner, type Row, sameOwner, type Time } from './copy';

const VERSION = 1;
const PAGE = 10_000;
const LOCK_NOT_AVAILABLE = '55P03';
const UTC = `to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS startline_copy;
  CREATE TABLE IF NOT EXISTS startline_copy.copy (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), version int NOT NULL, owner jsonb NOT NULL
  );
  CREATE TABLE IF NOT EXISTS startline_copy.positions (list text PRIMARY KEY, since text);
  ${Object.keys(LISTS)
    .map(
      (list) => `
        CREATE TABLE IF NOT EXISTS startline_copy.${list} (
          id uuid PRIMARY KEY, updated_at timestamptz NOT NULL, data jsonb NOT NULL
        );
        CREATE INDEX IF NOT EXISTS ${list}_by_bucket ON startline_copy.${list} (right(id::text, 2), id);`,
    )
    .join('')}
`;

/** A copy in the schema `startline_copy` of a PostgreSQL database: a table for each list, with its items as `data`. */
export class PostgresCopy implements Copy {
  private constructor(
    private readonly client: Client,
    readonly owner: Owner,
    private readonly positions: Map<List, string>,
  ) {}

  /** @throws CopyRefused, or the error of the database */
  static async open(url: string, key: Owner): Promise<PostgresCopy> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      connectionString: url,
      application_name: 'startline-client',
      keepAlive: true,
      connectionTimeoutMillis: 30_000,
      // A connection that was lost without a word.
      query_timeout: 300_000,
    });
    // The next statement fails, too, and says why.
    client.on('error', () => {});
    await client.connect();
    try {
      // A process that was killed holds it until its connection is found to be closed.
      await client.query(`SET lock_timeout = '5s'`);
      await client.query(`SELECT pg_advisory_lock(hashtext('startline-client'))`).catch((error) => {
        throw error.code === LOCK_NOT_AVAILABLE
          ? new CopyRefused('Another process has the copy open.')
          : error;
      });
      await client.query('RESET lock_timeout');
      await client.query(`BEGIN; ${SCHEMA} COMMIT`);
      await client.query(
        'INSERT INTO startline_copy.copy (version, owner) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [VERSION, key],
      );
      const { rows } = await client.query('SELECT version, owner FROM startline_copy.copy');
      if (rows[0].version !== VERSION)
        throw new CopyRefused('The copy was made by another release of the client.');
      sameOwner(rows[0].owner, key);
      const positions = await client.query('SELECT list, since FROM startline_copy.positions');
      return new PostgresCopy(
        client,
        key,
        new Map(positions.rows.flatMap(({ list, since }) => (since === null ? [] : [[list, since]]))),
      );
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  since(list: List): string | undefined {
    return this.positions.get(list);
  }

  async store(list: List, rows: readonly Row[], since: string | undefined): Promise<void> {
    await this.client.query(
      `WITH position AS (
         INSERT INTO startline_copy.positions VALUES ($2, $3)
         ON CONFLICT (list) DO UPDATE SET since = excluded.since
       )
       INSERT INTO startline_copy.${list} AS stored
       SELECT (item->>'id')::uuid, (item->>'updatedAt')::timestamptz, item FROM jsonb_array_elements($1) item
       ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at, data = excluded.data`,
      [JSON.stringify(rows), list, since ?? null],
    );
    if (since !== undefined) this.positions.set(list, since);
  }

  async remove(list: List, ids: readonly string[]): Promise<void> {
    await this.client.query(`DELETE FROM startline_copy.${list} WHERE id = ANY($1::uuid[])`, [ids]);
  }

  async *times(list: List, bucket?: string): AsyncIterable<Time> {
    const condition = bucket === undefined ? '' : 'AND right(id::text, 2) = $4';
    let [lastBucket, lastId] = ['', '00000000-0000-0000-0000-000000000000'];
    for (;;) {
      const { rows } = await this.client.query<[string, string]>({
        text: `SELECT id::text, ${UTC} FROM startline_copy.${list}
               WHERE (right(id::text, 2), id) > ($1, $2::uuid) ${condition}
               ORDER BY right(id::text, 2), id LIMIT $3`,
        values: [lastBucket, lastId, PAGE, ...(bucket === undefined ? [] : [bucket])],
        rowMode: 'array',
      });
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return;
      lastId = last[0];
      lastBucket = lastId.slice(-2);
    }
  }

  async settle(): Promise<void> {}

  async close(): Promise<void> {
    await this.client.end();
  }
}
