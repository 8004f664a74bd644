/**
 * The optional connection to Redis, for volatile data that processes share. The queues have their own connections.
 *
 *   constructor(@Inject(REDIS) private readonly redis: Redis | undefined) {}
 *   await redis.ping();      // fails immediately while Redis is unavailable
 */
export { newRedis } from './new-redis';
export { REDIS, RedisModule } from './redis.module';
export { type RedisSettings, redisOptions } from './redis-options';
