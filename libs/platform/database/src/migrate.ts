import { setTimeout as sleep } from 'node:timers/promises';
import { runMigrations as runQueueMigrations } from 'bullmq';
import { Client } from 'pg';
import {
  type DataSource,
  type DataSourceOptions,
  type EntitySubscriberInterface,
  EventSubscriber,
  type Migration,
  MigrationExecutor,
  type TransactionStartEvent,
} from 'typeorm';
import { LOCKS } from './advisory-locks';
import { createDataSource } from './data-source';
import {
  distribute,
  distributionPlan,
  openShards,
  requireCluster,
  type Step,
} from './distributed/distribute';
import { isDistributed } from './distributed/requirements';
import { clientTo } from './hosts';
import { migrations } from './migrations';
import { QUEUE_SCHEMA } from './queue-schema';
import { giveRoles, type Roles } from './roles';
import { statement } from './statement';

const LOOK_EVERY_MS = 100;

/** Less than PostgreSQL's deadlock_timeout of a second: if a migration and a request wait for each other, the migration fails. */
const LOCK_TIMEOUT_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
const PATIENCE_MS = 300_000;

export interface MigrateOptions extends Roles {
  /** Receives progress messages. */
  log?: (line: string) => void;
  /** How long a statement may wait for a lock. Later statements on the table wait behind it. */
  lockTimeoutMs?: number;
  /** How long to retry if a lock is not available. */
  patienceMs?: number;
  migrations?: DataSourceOptions['migrations'];
}

/**
 * Migrates the schemas of the database and of the queues, and grants the roles what they need. Several processes can
 * call it at the same time: one migrates, the others wait and find nothing to do. It is safe while an older release
 * runs, if migrations follow docs/migrations.md.
 *
 * @param url the owner's
 * @throws QueryFailedError the error of a migration; the migrations before it are applied
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<void> {
  const { log = () => {}, lockTimeoutMs = LOCK_TIMEOUT_MS, patienceMs = PATIENCE_MS } = options;
  await alone(url, { lock_timeout: lockTimeoutMs }, async (lock) => {
    const isOnNodes = await isDistributed(lock);
    const dataSource = await createDataSource({
      url,
      applicationName: 'startline migrate',
      lockTimeoutMs,
      migrations: options.migrations ?? migrations,
      subscribers: isOnNodes ? [transactionsOnNodes(lockTimeoutMs)] : [],
    }).initialize();
    const patiently = (work: () => Promise<unknown>) => untilLocked(work, patienceMs, log);
    const adapt = async () => {
      if (isOnNodes) await patiently(() => distribute(lock, { log, lockTimeoutMs }));
      await patiently(() => giveRoles(lock, options));
      if (isOnNodes) await openShards(lock, url, patiently);
    };
    try {
      await refuseEarlierSchema(lock, dataSource);
      const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
      if (isOnNodes) await runOneByOne(dataSource, pending, patiently, adapt);
      else await patiently(() => dataSource.runMigrations({ transaction: 'each' }));
      for (const { name } of pending) log(`applied ${name}`);
    } finally {
      await dataSource.destroy();
    }
    await patiently(() => runQueueMigrations(lock, QUEUE_SCHEMA));
    await adapt();
  });
}

const APPLIED = statement({
  parameters: ['text'],
  columns: { any: 'boolean', first: 'boolean?' },
  sql: 'SELECT count(*) > 0 AS any, bool_or(name = $1) AS first FROM schema_migrations',
});

/** @throws Error if the schema is that of a commit before the first migration */
async function refuseEarlierSchema(owner: Client, { migrations: [first] }: DataSource): Promise<void> {
  const [{ exists }] = (await owner.query(`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`))
    .rows;
  if (!exists || !first) return;
  const applied = await APPLIED.one(owner, [first.name ?? first.constructor.name]);
  if (applied.any && !applied.first)
    throw new Error(
      'The database has the schema of an earlier commit, which this version does not migrate. Use an empty database; for npm start, another STARTLINE_HOME.',
    );
}

/**
 * On a distributed database, what a migration has made is distributed before the next one begins: its triggers can then use
 * the table.
 */
async function runOneByOne(
  dataSource: DataSource,
  pending: Migration[],
  patiently: (work: () => Promise<unknown>) => Promise<void>,
  adapt: () => Promise<void>,
): Promise<void> {
  const waiting = new Set(pending.map(({ name }) => name));
  const all = dataSource.migrations;
  for (const { name } of pending) {
    waiting.delete(name);
    const next = all.filter((each) => !waiting.has(each.name ?? each.constructor.name));
    Object.assign(dataSource, { migrations: next });
    await patiently(() => dataSource.runMigrations({ transaction: 'each' }));
    if (waiting.size > 0) await adapt();
  }
}

/**
 * The lock timeout of a session stays on the coordinator; that of a transaction reaches the nodes. After a change of several
 * shards at once, Citus refuses to create a function in the same transaction.
 */
function transactionsOnNodes(lockTimeoutMs: number) {
  @EventSubscriber()
  class TransactionsOnNodes implements EntitySubscriberInterface {
    async afterTransactionStart({ queryRunner }: TransactionStartEvent): Promise<void> {
      await queryRunner.query(`SET LOCAL citus.propagate_set_commands = 'local'; SET LOCAL lock_timeout = ${lockTimeoutMs};
        SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
    }
  }
  return TransactionsOnNodes;
}

/** Runs work on a connection that holds the lock of migrations. */
async function alone<T>(
  url: string,
  settings: { lock_timeout?: number },
  work: (owner: Client) => Promise<T>,
): Promise<T> {
  const lock = clientTo(url, { application_name: 'startline migrate', ...settings });
  // The statements report a lost connection.
  lock.on('error', () => {});
  await lock.connect();
  try {
    await takeTurn(lock);
    return await work(lock);
  } finally {
    await lock.end();
  }
}

const TRY_LOCK = statement({
  parameters: ['bigint'],
  columns: { mine: 'boolean' },
  sql: 'SELECT pg_try_advisory_lock($1) AS mine',
});

/**
 * Polls, because a waiting statement would hold a snapshot, and CREATE INDEX CONCURRENTLY waits for all older snapshots.
 */
async function takeTurn(lock: Client): Promise<void> {
  for (;;) {
    if ((await TRY_LOCK.one(lock, [LOCKS.migration])).mine) return;
    await sleep(LOOK_EVERY_MS);
  }
}

/** Work that is atomic or can be resumed if a lock is not available. */
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

/**
 * Distributes a migrated database on a Citus coordinator by organization, or what a distributed one has new. `migrate`
 * does the second itself.
 *
 * @param url the owner's
 * @throws ClusterNotReady if the cluster lacks what it needs
 */
export async function distributeDatabase(
  url: string,
  { log = () => {}, ...roles }: Pick<MigrateOptions, 'log'> & Roles = {},
): Promise<void> {
  await requireCluster(url);
  await alone(url, {}, async (owner) => {
    await distribute(owner, { log });
    await giveRoles(owner, roles);
    await openShards(owner, url, (work) => untilLocked(work, PATIENCE_MS, log));
  });
}

/** What `distributeDatabase` would do. */
export async function planDistribution(url: string): Promise<Step[]> {
  await requireCluster(url);
  return alone(url, {}, distributionPlan);
}

/** The statements that would change the schema to match the entities; none if no migration is missing. */
export async function schemaDrift(url: string): Promise<string[]> {
  const options = { url, applicationName: 'startline drift', client: OneByOne };
  const dataSource = await createDataSource(options).initialize();
  try {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  } finally {
    await dataSource.destroy();
  }
}

/**
 * TypeORM's schema builder sends concurrent queries on one connection, which pg warns about and pg 9 refuses. On this one, they wait
 * for each other.
 */
class OneByOne extends Client {
  private before: Promise<unknown> = Promise.resolve();

  // biome-ignore lint/suspicious/noExplicitAny: pg declares more forms than an override can have
  override query(...asked: any[]): any {
    const ask: (...asked: unknown[]) => Promise<unknown> = super.query;
    const answer = this.before.then(() => ask.apply(this, asked));
    this.before = answer.catch(() => {});
    return answer;
  }
}
