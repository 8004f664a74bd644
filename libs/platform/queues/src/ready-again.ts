import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresBackend } from 'bullmq';

const RETRY_MS = 500;

/** BullMQ's state of its connection. */
interface Connection {
  readyPromise?: Promise<void>;
  waitUntilReady(): Promise<void>;
}

/**
 * Repairs BullMQ's PostgreSQL backend if the database is unavailable at start. BullMQ would keep the first failure, and
 * its workers would retry in a loop without a pause, which blocks the process.
 */
export const readyAgain = ((...given: Parameters<typeof createPostgresBackend>) => {
  const backend = createPostgresBackend(...given);
  const { connection } = backend as unknown as { connection: Connection };
  const ready = connection.waitUntilReady.bind(connection);
  connection.waitUntilReady = async () => {
    try {
      await ready();
    } catch (error) {
      connection.readyPromise = undefined;
      await sleep(RETRY_MS);
      throw error;
    }
  };
  return backend;
}) as typeof createPostgresBackend;
