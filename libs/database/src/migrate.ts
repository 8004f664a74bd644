import { setTimeout as sleep } from 'node:timers/promises';
import { runMigrations as runQueueMigrations } from 'bullmq';
import { Client } from 'pg';
import { type DataSource, type DataSourceOptions, MigrationExecutor } from 'typeorm';
import { createDataSource } from './data-source';
import { migrations } from './migrations';
import { QUEUE_SCHEMA } from './queue-schema';
import { giveRoles, type Roles } from './roles';

/** Any number; the same in every release, so that two releases can't migrate at once. */
const MIGRATION_LOCK = 5_717_251;
const LOOK_EVERY_MS = 100;

/** Below PostgreSQL's deadlock_timeout of a second: where a migration and a request wait for each other, it gives way. */
const LOCK_TIMEOUT_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export interface MigrateOptions extends Roles {
  /** Told what was applied, and what is waited for. */
  log?: (line: string) => void;
  /** For how long a statement may wait for a lock; everybody who wants the table after it waits as long. */
  lockTimeoutMs?: number;
  /** For how long it is tried again when a lock was not to be had. */
  patienceMs?: number;
  migrations?: DataSourceOptions['migrations'];
}

/**
 * Brings the database's schema, the queues', and the roles' privileges up to date. Any number of processes may call it at once: one
 * works, the others wait for it and find nothing to do. It may be called while an older release serves:
 * docs/migrations.md says what a migration must keep to.
 *
 * @param url the owner's
 * @throws QueryFailedError what a migration failed with; those before it are applied
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<void> {
  const { log = () => {}, lockTimeoutMs = LOCK_TIMEOUT_MS, patienceMs = 300_000 } = options;
  const lock = new Client({
    connectionString: url,
    application_name: 'startline migrate',
    lock_timeout: lockTimeoutMs,
  });
  // Of a server that goes away the statements tell.
  lock.on('error', () => {});
  await lock.connect();
  try {
    await takeTurn(lock);
    const dataSource = await createDataSource({
      url,
      applicationName: 'startline migrate',
      lockTimeoutMs,
      migrations: options.migrations ?? migrations,
    }).initialize();
    try {
      const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
      await untilLocked(() => dataSource.runMigrations({ transaction: 'each' }), patienceMs, log);
      for (const { name } of pending) log(`applied ${name}`);
    } finally {
      await dataSource.destroy();
    }
    await untilLocked(() => runQueueMigrations(lock, QUEUE_SCHEMA), patienceMs, log);
    await untilLocked(() => giveRoles(lock, options), patienceMs, log);
  } finally {
    await lock.end();
  }
}

/**
 * Asks again and again: a statement that waits would keep its snapshot, and an index that is built concurrently
 * waits until all older snapshots are gone.
 */
async function takeTurn(lock: Client): Promise<void> {
  for (;;) {
    const { rows } = await lock.query('SELECT pg_try_advisory_lock($1) AS mine', [MIGRATION_LOCK]);
    if (rows[0]?.mine) return;
    await sleep(LOOK_EVERY_MS);
  }
}

/** Work that does nothing, or can be taken up where it stopped, when a lock was not to be had. */
async function untilLocked(
  work: () => Promise<unknown>,
  patienceMs: number,
  log: (line: string) => void,
): Promise<void> {
  const end = Date.now() + patienceMs;
  for (let pause = PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      await work();
      return;
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      if ((code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) || Date.now() + pause > end) throw error;
      log(`waits: ${message}`);
      await sleep(pause);
    }
  }
}

/** The statements that would bring the database to what the entities declare: none, if nobody forgot a migration. */
export async function schemaDrift(url: string): Promise<string[]> {
  const dataSource = await createDataSource({ url, applicationName: 'startline drift' }).initialize();
  try {
    askOneByOne(dataSource);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  } finally {
    await dataSource.destroy();
  }
}

/** TypeORM's builder asks for all columns at once on its one connection, which pg warns of and pg 9 refuses. */
function askOneByOne(dataSource: DataSource): void {
  const create = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    const runner = create(mode);
    const ask = runner.query.bind(runner) as (...asked: unknown[]) => Promise<unknown>;
    let before: Promise<unknown> = Promise.resolve();
    runner.query = ((...asked: unknown[]) => {
      const answer = before.then(() => ask(...asked));
      before = answer.catch(() => {});
      return answer;
    }) as typeof runner.query;
    return runner;
  };
}
