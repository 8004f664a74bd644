import { runMigrations as runQueueMigrations } from 'bullmq';
import { Client } from 'pg';
import { createDataSource } from './data-source';

/** Where BullMQ keeps its queues when PostgreSQL is their backend. */
export const QUEUE_SCHEMA = 'bullmq';

/** Any number; the same in every release, so that two releases can't migrate at once. */
const MIGRATION_LOCK = 5_717_251;

/**
 * Brings the database's schema, and the queues', up to date. Any number of processes may call it at once: one
 * works, the others wait for it and find nothing to do.
 */
export async function migrate(url: string, log: (line: string) => void = () => {}): Promise<void> {
  const lock = new Client({ connectionString: url, application_name: 'startline migrate' });
  // Of a server that goes away the statements tell.
  lock.on('error', () => {});
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const dataSource = await createDataSource({ url, applicationName: 'startline migrate' }).initialize();
    try {
      const applied = await dataSource.runMigrations({ transaction: 'each' });
      for (const migration of applied) log(`applied ${migration.name}`);
    } finally {
      await dataSource.destroy();
    }
    await runQueueMigrations(lock, QUEUE_SCHEMA);
  } finally {
    await lock.end();
  }
}

/** The statements that would bring the database to what the entities declare: none, if nobody forgot a migration. */
export async function schemaDrift(url: string): Promise<string[]> {
  const dataSource = await createDataSource({ url, applicationName: 'startline drift' }).initialize();
  try {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  } finally {
    await dataSource.destroy();
  }
}
