import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { SURFACES } from '#libs/access';
import { type EmbeddedPostgres, migrate, startEmbeddedPostgres } from '#libs/database';
import { BATCH, CATALOGUE, COUNTS, INSERTS } from './entries';
import { OCCURRENCES } from './occurrences';
import { say } from './say';

const ENTRIES_PER_BATCH = 100_000;
const BIG_TABLES = ['start_list_entries', 'bookings', 'line_items'];
const MIGRATIONS = resolve(__dirname, '../../libs/database/src/migrations');

/** Where the bench keeps its PostgreSQL from one run to the next. */
export const benchHome = (): string => resolve(process.env.STARTLINE_HOME ?? '.startline', 'bench');

/** One PostgreSQL for all data sets, each a database of its own that a later run finds again. */
export class Databases {
  private constructor(private readonly server: EmbeddedPostgres) {}

  static async start(): Promise<Databases> {
    return new Databases(await startEmbeddedPostgres({ home: benchHome(), log: say }));
  }

  /** The postmaster. */
  get pid(): number {
    return this.server.pid;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** @returns the URL of a database with so many start list entries */
  entries(count: number): Promise<string> {
    return this.filled(`entries_${count}`, hashOf(CATALOGUE, BATCH, ...INSERTS, ...COUNTS), (client) =>
      fillEntries(client, count),
    );
  }

  /** @returns the URL of a database with so many upcoming occurrences */
  occurrences(count: number): Promise<string> {
    return this.filled(`occurrences_${count}`, hashOf(OCCURRENCES), async (client) => {
      await client.query(OCCURRENCES.replace('$count$', String(count)));
    });
  }

  /** A migrated, empty database that is made anew each time. */
  async empty(name: string): Promise<string> {
    await this.onServer(async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${name}`);
    });
    await migrate(this.urlOf(name));
    return this.urlOf(name);
  }

  /** A copy of a data set, to be changed and dropped. */
  async copy(url: string, name: string): Promise<string> {
    await this.drop(name);
    const from = new URL(url).pathname.slice(1);
    await this.onServer((client) =>
      client.query(`CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY file_copy`),
    );
    return this.urlOf(name);
  }

  async drop(name: string): Promise<void> {
    await this.onServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  }

  private async filled(set: string, hash: string, fill: (client: Client) => Promise<void>): Promise<string> {
    const name = `${set}_${hash}`;
    const present = await this.onServer(async (client) => {
      const { rows } = await client.query<{ datname: string }>(
        'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
        [`${set}_`],
      );
      // Of another schema, or left behind in the middle.
      for (const { datname } of rows.filter(({ datname }) => datname !== name))
        await client.query(`DROP DATABASE "${datname}" WITH (FORCE)`);
      return rows.some(({ datname }) => datname === name);
    });
    if (present) return this.urlOf(name);
    say(`making the data set ${set}; later runs find it in ${benchHome()}`);
    const began = Date.now();
    const unfinished = `${name}_unfinished`;
    const url = await this.empty(unfinished);
    const client = new Client({ connectionString: url });
    await client.connect();
    await fill(client);
    // Nothing of what is measured later should be the first to touch a row.
    await client.query('VACUUM (FREEZE, ANALYZE)');
    await client.query('CHECKPOINT');
    await client.end();
    await this.onServer((on) => on.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`));
    say(`  took ${Math.round((Date.now() - began) / 1_000)} s`);
    return this.urlOf(name);
  }

  private urlOf(database: string): string {
    return this.server.url.replace(/\/[^/]*$/, `/${database}`);
  }

  private async onServer<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: this.urlOf('postgres') });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

/** Changes with the schema and with how the rows are made. */
function hashOf(...statements: string[]): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(MIGRATIONS).sort()) hash.update(readFileSync(join(MIGRATIONS, name)));
  for (const statement of statements) hash.update(statement);
  return hash.digest('hex').slice(0, 10);
}

async function fillEntries(client: Client, count: number): Promise<void> {
  await client.query(CATALOGUE.replace('$surfaces$', `'{${SURFACES.join(',')}}'::text[]`));
  const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes
     WHERE tablename = ANY ($1) AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
    [BIG_TABLES],
  );
  for (const { indexname } of indexes) await client.query(`DROP INDEX "${indexname}"`);
  await client.query(`SET session_replication_role = replica; SET synchronous_commit = off;
    SET maintenance_work_mem = '512MB'; SET jit = off`);
  for (let from = 0; from < count; from += ENTRIES_PER_BATCH) {
    await client.query(BATCH, [from, Math.min(from + ENTRIES_PER_BATCH, count) - 1, count]);
    for (const insert of INSERTS) await client.query(insert);
    await client.query('DROP TABLE batch');
    if (count > ENTRIES_PER_BATCH && (from / ENTRIES_PER_BATCH) % 5 === 4)
      say(`  ${(from + ENTRIES_PER_BATCH).toLocaleString('en')} of ${count.toLocaleString('en')} entries`);
  }
  for (const { indexdef } of indexes) await client.query(indexdef);
  for (const statement of COUNTS) await client.query(statement);
}
