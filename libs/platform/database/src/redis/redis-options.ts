import type { RedisOptions } from 'ioredis';
import type { Settings } from '#platform/config';

export type RedisSettings = Pick<
  Settings,
  'REDIS_URL' | 'REDIS_SENTINELS' | 'REDIS_SENTINEL_NAME' | 'REDIS_SENTINEL_PASSWORD'
>;

/** A connection without a response for this long is made again. BullMQ waits for jobs for ten seconds. */
const SILENT_MS = 12_000;

/** How to connect to Redis, or undefined without it. With Sentinel, the sentinels name the server that is the master. */
export function redisOptions(settings: RedisSettings) {
  if (!settings.REDIS_URL) return undefined;
  const url = new URL(settings.REDIS_URL);
  const tls = url.protocol === 'rediss:';
  return {
    username: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    db: Number(url.pathname.slice(1) || 0),
    ...(tls && { tls: {} }),
    socketTimeout: SILENT_MS,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, 2_000),
    ...(settings.REDIS_SENTINELS
      ? {
          sentinels: settings.REDIS_SENTINELS,
          name: settings.REDIS_SENTINEL_NAME,
          sentinelPassword: settings.REDIS_SENTINEL_PASSWORD,
          enableTLSForSentinelMode: tls,
          // A master that froze does not close its connections, so the sentinels are listened to.
          failoverDetector: true,
        }
      : { host: url.hostname, port: Number(url.port || 6379) }),
  } satisfies RedisOptions;
}
