import {
  type ConnectionOptions,
  createIORedisClient,
  RedisConnection,
  setDefaultBackendFactory,
} from 'bullmq';
import { Pool } from 'pg';
import type { Settings } from '#platform/config';
import {
  clientOptions,
  connectionTo,
  newRedis,
  outliveConnections,
  QUEUE_SCHEMA,
  redisOptions,
} from '#platform/database';
import { readyAgain } from './ready-again';

export const QUEUE_BACKEND = Symbol('queue backend');

const KEEP_ALIVE_MS = 10_000;

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
    RedisConnection.clientFactory = (options) => createIORedisClient(newRedis(options));
    return {
      producer: {
        ...redis,
        enableOfflineQueue: false,
        maxRetriesPerRequest: 1,
        commandTimeout: redis.socketTimeout,
      },
      consumer: { ...redis, maxRetriesPerRequest: null },
      prefix: '{startline}',
      close: async () => {},
    };
  }
  setDefaultBackendFactory(readyAgain as never);
  // One pool for all queues of the process. Each worker listens on one of its connections.
  const pool = new Pool({
    ...clientOptions({
      poolWaitMs: settings.POOL_WAIT_MS,
      statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
    }),
    ...connectionTo(settings.DATABASE_URL ?? ''),
    application_name: 'startline queues',
    options: `-c search_path=${QUEUE_SCHEMA}`,
    max: connections,
    // A worker listens without a statement of its own.
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  pool.on('error', () => {});
  outliveConnections(pool);
  return { producer: pool as never, consumer: pool as never, close: () => pool.end() };
}
