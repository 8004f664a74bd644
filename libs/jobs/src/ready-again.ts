import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresBackend } from 'bullmq';

const RETRY_MS = 500;

/** What BullMQ keeps of whether its connection is ready. */
interface Connection {
  readyPromise?: Promise<void>;
  waitUntilReady(): Promise<void>;
}

/**
 * BullMQ's backend on PostgreSQL, which may be away while a process starts. BullMQ keeps the first refusal for good,
 * and its workers then ask again without a pause: nothing else would run in the process, not even its end.
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
