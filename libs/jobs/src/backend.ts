import { type ConnectionOptions, setDefaultBackendFactory } from 'bullmq';
import { Pool } from 'pg';
import type { Settings } from '#libs/config';
import { outliveConnections, QUEUE_SCHEMA } from '#libs/database';
import { readyAgain } from './ready-again';

export const QUEUE_BACKEND = Symbol('queue backend');

export interface QueueBackend {
  /** For whoever adds jobs: fails at once while the backend is away. */
  producer: ConnectionOptions;
  /** For whoever works: waits until the backend is back. */
  consumer: ConnectionOptions;
  /** In Redis a hash tag: BullMQ's scripts take several keys, which a cluster has to keep in one place. */
  prefix?: string;
  close(): Promise<void>;
}

/**
 * Redis where REDIS_URL names one, else PostgreSQL; nothing else changes. BullMQ keeps its choice of backend
 * for the whole process.
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
  // One pool for all queues of the process; each worker keeps one of its connections to listen on.
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
