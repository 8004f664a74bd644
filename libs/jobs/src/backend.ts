import { type ConnectionOptions, setDefaultBackendFactory } from 'bullmq';
import { Pool } from 'pg';
import type { Settings } from '#libs/config';
import { connectionTo, outliveConnections, QUEUE_SCHEMA } from '#libs/database';
import { redisOptions } from '#libs/redis';
import { readyAgain } from './ready-again';

export const QUEUE_BACKEND = Symbol('queue backend');

export interface QueueBackend {
  /** For producers: fails immediately while the backend is unavailable. */
  producer: ConnectionOptions;
  /** For workers: waits until the backend is available. */
  consumer: ConnectionOptions;
  /** A hash tag for Redis Cluster: BullMQ's scripts use several keys, which must be in the same slot. */
  prefix?: string;
  close(): Promise<void>;
}

/**
 * The backend of the queues: Redis if REDIS_URL is set, otherwise PostgreSQL. BullMQ's backend is a setting of the whole
 * process.
 */
export function queueBackend(settings: Settings, connections: number): QueueBackend {
  const redis = redisOptions(settings);
  if (redis) {
    setDefaultBackendFactory();
    return {
      producer: { ...redis, enableOfflineQueue: false, maxRetriesPerRequest: 1 },
      consumer: { ...redis, maxRetriesPerRequest: null },
      prefix: '{startline}',
      close: async () => {},
    };
  }
  setDefaultBackendFactory(readyAgain as never);
  // One pool for all queues of the process. Each worker listens on one of its connections.
  const pool = new Pool({
    ...connectionTo(settings.DATABASE_URL ?? ''),
    application_name: 'startline queues',
    options: `-c search_path=${QUEUE_SCHEMA}`,
    max: connections,
    connectionTimeoutMillis: settings.POOL_WAIT_MS,
    keepAlive: true,
  });
  pool.on('error', () => {});
  outliveConnections(pool);
  return { producer: pool as never, consumer: pool as never, close: () => pool.end() };
}
