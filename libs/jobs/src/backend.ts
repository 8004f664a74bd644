import { type ConnectionOptions, setDefaultBackendFactory } from 'bullmq';
import { Pool } from 'pg';
import type { Settings } from '#libs/config';
import { outliveConnections, QUEUE_SCHEMA } from '#libs/database';
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
  if (settings.REDIS_URL) {
    setDefaultBackendFactory();
    const url = new URL(settings.REDIS_URL);
    const redis = {
      host: url.hostname,
      port: Number(url.port || 6379),
      username: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
      db: Number(url.pathname.slice(1) || 0),
      ...(url.protocol === 'rediss:' && { tls: {} }),
    };
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
    connectionString: settings.DATABASE_URL,
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
