/**
 * Redis, where REDIS_URL names one: for what all processes share and none must keep. The queues have
 * connections of their own.
 *
 *   constructor(@Inject(REDIS) private readonly redis: Redis | undefined) {}
 *   await redis.ping();      // fails at once while Redis is away: nothing waits for it to come back
 */
export { REDIS, RedisModule } from './redis.module';
