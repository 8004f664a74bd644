import type { ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';
import { RateCounter } from './rate-counter';
import type { RateStore } from './rate-store';

/** Windows remembered here; one that is forgotten is still known to the shared store. */
const REMEMBERED = 50_000;

/** The share of a wide allowance that a process may be ahead of the shared count. */
const WIDE_CREDIT = 0.01;
/** An allowance of this size or more is wide, whatever its class: counting each use in the shared store costs more than it protects. */
const WIDE_FROM = 10_000;

/** The throttler's storage: exact for every allowance that is not wide. */
export class RateCounts implements ThrottlerStorage {
  private readonly counters = new LRUCache<string, RateCounter>({ max: REMEMBERED });

  constructor(private readonly store: RateStore) {}

  /**
   * @param key the key's id, the operation's name and its rate class, separated by slashes
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
      const [keyId = '', operation = '', rateClass] = key.split('/');
      const isWide = rateClass === 'wide' || limit >= WIDE_FROM;
      const credit = isWide ? Math.floor(limit * WIDE_CREDIT) : 0;
      counter = new RateCounter(this.store, keyId, operation, { limit, windowMs: ttl, credit });
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
