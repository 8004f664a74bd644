import { Redis, type RedisOptions, SentinelConnector } from 'ioredis';

/** A connection to Redis. */
export function newRedis(options: RedisOptions): Redis {
  const redis = new Redis({ ...options, ...(options.sentinels && { Connector: Sentinels as never }) });
  // When a connection closes, ioredis keeps the timer of `socketTimeout`, which would then close the next connection.
  redis.on('close', () => {
    const timed = redis as unknown as { socketTimeoutTimer: NodeJS.Timeout | undefined };
    clearTimeout(timed.socketTimeoutTimer);
    timed.socketTimeoutTimer = undefined;
  });
  return redis;
}

/**
 * When sentinels announce a new master, ioredis closes its connection, which is made again. If there is none, because it asks the
 * sentinels for the master at that moment, ioredis would stop asking, and never connect again.
 */
class Sentinels extends SentinelConnector {
  override disconnect(): void {
    const own = this as unknown as {
      failoverDetector?: { isDisconnected: boolean; cleanup(): void };
      stream?: { destroyed: boolean } | null;
    };
    const { failoverDetector: listener, stream } = own;
    // The listener says so before it calls this; who else calls this wants no connection.
    const announced = listener?.isDisconnected;
    own.failoverDetector = undefined;
    listener?.cleanup();
    if (!announced || stream?.destroyed === false) super.disconnect();
  }
}
