import type { ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';
import type { RateClass } from '../operation-declaration';
import { RateCounter } from './rate-counter';
import type { RateKey, RateStore } from './rate-store';

/** The most windows in memory. The shared store has the others. */
const REMEMBERED = 50_000;

/** The credit of a process, as a share of a wide allowance. */
const WIDE_CREDIT = 0.01;
/** An allowance of at least this size is wide: exact counting would cost more than it protects. */
const WIDE_FROM = 10_000;

/** The name of a counter, for `increment`. */
export const counterName = ({ organizationId, keyId, operation }: RateKey, rate: RateClass): string =>
  [organizationId, keyId, operation, rate].join('/');

/** The storage of the throttler. Exact, except for wide allowances. */
export class RateCounts implements ThrottlerStorage {
  private readonly counters = new LRUCache<string, RateCounter>({ max: REMEMBERED });

  constructor(private readonly store: RateStore) {}

  /**
   * @param key the result of `counterName`
   * @param ttl the window's length in milliseconds
   * @returns times in seconds, rounded up
   */
  async increment(
    key: string,
    ttl: number,
    limit: number,
    _blockDuration?: number,
    _throttlerName?: string,
  ): ReturnType<ThrottlerStorage['increment']> {
    let counter = this.counters.get(key);
    if (!counter) {
      const [organizationId = '', keyId = '', operation = '', rateClass] = key.split('/');
      const isWide = rateClass === 'wide' || limit >= WIDE_FROM;
      const credit = isWide ? Math.floor(limit * WIDE_CREDIT) : 0;
      counter = new RateCounter(
        this.store,
        { organizationId, keyId, operation },
        { limit, windowMs: ttl, credit },
      );
      this.counters.set(key, counter);
    }
    const { used, refused, resetMs } = await counter.use();
    const seconds = Math.max(1, Math.ceil(resetMs / 1000));
    return {
      totalHits: used,
      timeToExpire: seconds,
      isBlocked: refused,
      timeToBlockExpire: refused ? seconds : 0,
    };
  }
}
