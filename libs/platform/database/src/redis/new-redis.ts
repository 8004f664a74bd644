import { Redis, type RedisOptions } from 'ioredis';

/** A connection to Redis. */
export function newRedis(options: RedisOptions): Redis {
  const redis = new Redis(options);
  // When a connection closes, ioredis keeps the timer of `socketTimeout`, which would then close the next connection.
  redis.on('close', () => {
    const timed = redis as unknown as { socketTimeoutTimer: NodeJS.Timeout | undefined };
    clearTimeout(timed.socketTimeoutTimer);
    timed.socketTimeoutTimer = undefined;
  });
  return redis;
}
