import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { RateKey, RateStore, Standing } from './rate-store';

const ADD = `
  local used = redis.call('INCRBY', KEYS[1], ARGV[1])
  local left = redis.call('PTTL', KEYS[1])
  if left < 0 then
    left = tonumber(ARGV[2])
    redis.call('PEXPIRE', KEYS[1], left)
  end
  return { used, left }
`;

/** How long Redis is not used after a command timed out. */
const RETRY_MS = 1_000;

type RedisWithCounts = Redis & {
  addRateUses(key: string, uses: number, windowMs: number): Promise<[number, number]>;
};

/**
 * Counts in Redis. While Redis is unavailable, the fallback store counts from zero: in the minute of the change, a key
 * may use its allowance twice, but no request fails.
 */
export class RedisRateStore implements RateStore {
  private readonly logger = new Logger('rate limits');
  private readonly redis: RedisWithCounts;
  private away = false;
  private retryAt = 0;

  constructor(
    redis: Redis,
    private readonly behind: RateStore,
  ) {
    redis.defineCommand('addRateUses', { numberOfKeys: 1, lua: ADD });
    this.redis = redis as RedisWithCounts;
  }

  async add(key: RateKey, uses: number, windowMs: number): Promise<Standing> {
    if (performance.now() < this.retryAt) return this.behind.add(key, uses, windowMs);
    try {
      const name = `startline:rate:${key.keyId}:${key.operation}`;
      const [used, endsInMs] = await this.redis.addRateUses(name, uses, windowMs);
      this.away = false;
      return { used, endsInMs };
    } catch {
      if (!this.away) this.logger.warn('Redis is not reachable; rate limits are counted in PostgreSQL');
      this.away = true;
      // Without a connection, commands fail immediately, so no pause is needed.
      if (this.redis.status === 'ready') this.retryAt = performance.now() + RETRY_MS;
      return this.behind.add(key, uses, windowMs);
    }
  }
}
