import type { ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';
import type { RateClass } from '../operation-declaration';
import { RateCounter, type Use } from './rate-counter';
import type { RateKey, RateStore } from './rate-store';

/** The most windows in memory. The shared store has the others. */
const REMEMBERED = 50_000;

/** The credit of a process, as a share of a wide allowance. */
const WIDE_CREDIT = 0.01;
/** An allowance of at least this size is wide: exact counting would cost more than it protects. */
const WIDE_FROM = 10_000;

export interface CountedAllowance {
  limit: number;
  windowMs: number;
  /** False if each process may exceed it by WIDE_CREDIT. */
  isExact: boolean;
}

/**
 * The name of a counter and a weight, for `increment`.
 *
 * @param weight how many uses the request counts as
 */
export const counterUse = (
  { organizationId, keyId, operation }: RateKey,
  rate: RateClass,
  weight = 1,
): string => [organizationId, keyId, operation, rate, weight].join('/');

const nameOf = (keyId: string, operation: string): string => `${keyId}/${operation}`;

/** The storage of the throttler. Exact, except for wide allowances. */
export class RateCounts implements ThrottlerStorage {
  private readonly counters = new LRUCache<string, RateCounter>({ max: REMEMBERED });

  constructor(private readonly store: RateStore) {}

  /** What this process knows of the window of a key, which other processes may have used since. */
  standing(keyId: string, operation: string): Pick<Use, 'used' | 'resetMs'> | undefined {
    return this.counters.get(nameOf(keyId, operation))?.standing();
  }

  /**
   * @param use the result of `counterUse`
   * @param ttl the window's length in milliseconds
   * @returns times in seconds, rounded up
   */
  async increment(
    use: string,
    ttl: number,
    limit: number,
    _blockDuration?: number,
    _throttlerName?: string,
  ): ReturnType<ThrottlerStorage['increment']> {
    const [organizationId = '', keyId = '', operation = '', rateClass, weight] = use.split('/');
    const isExact = rateClass !== 'wide' && limit < WIDE_FROM;
    const key = { organizationId, keyId, operation };
    const { used, refused, resetMs } = await this.count(
      key,
      { limit, windowMs: ttl, isExact },
      Number(weight),
    );
    const seconds = Math.max(1, Math.ceil(resetMs / 1000));
    return {
      totalHits: used,
      timeToExpire: seconds,
      isBlocked: refused,
      timeToBlockExpire: refused ? seconds : 0,
    };
  }

  /** @param weight how many uses the request counts as; negative to take uses back */
  count(key: RateKey, { limit, windowMs, isExact }: CountedAllowance, weight: number): Promise<Use> {
    const name = nameOf(key.keyId, key.operation);
    let counter = this.counters.get(name);
    if (!counter) {
      const credit = isExact ? 0 : Math.floor(limit * WIDE_CREDIT);
      counter = new RateCounter(this.store, key, { limit, windowMs, credit });
      this.counters.set(name, counter);
    }
    return counter.use(weight);
  }
}
