import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { Caller } from '#platform/access';
import { SETTINGS, type Settings } from '#platform/config';
import { RACE_DAY_BYTES } from '#platform/database';
import { errors } from '#platform/validation';
import { counterUse } from './rate-counts';

const DAY_MS = 86_400_000;
/** What is counted, so that a count fits into an integer. */
const UNIT_BYTES = 1_024;
/** The part that one key can use: a program that repeats its messages stops neither other keys nor the desk. */
const OF_A_KEY = 0.5;

type Sender = Pick<Caller, 'organizationId' | 'keyId'>;

/**
 * The bytes that an organization may send for its race-day log in a day, which begins with the first of them. The log keeps
 * what it receives for weeks, so without a limit one key can fill the disk of all organizations.
 */
@Injectable()
export class RaceDayBytes {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly counts: ThrottlerStorage,
  ) {}

  /** @throws ApiError 429 if the bytes of the day are used up */
  require(sender: Sender): Promise<void> {
    return this.add(sender, 0);
  }

  /**
   * Counts a valid body: a client that sends invalid ones does not use up the day.
   *
   * @throws ApiError 429 if the bytes of the day do not suffice for it
   */
  async add({ organizationId, keyId }: Sender, bytes: number): Promise<void> {
    const limit = this.settings.RACE_DAY_BYTES_PER_DAY;
    await this.count({ organizationId, keyId }, Math.ceil(limit * OF_A_KEY), bytes, 'key');
    await this.count({ organizationId, keyId: organizationId }, limit, bytes, 'organization');
  }

  private async count(of: Sender, limit: number, bytes: number, whose: string): Promise<void> {
    const use = counterUse({ ...of, operation: RACE_DAY_BYTES }, 'wide', Math.ceil(bytes / UNIT_BYTES));
    const most = Math.ceil(limit / UNIT_BYTES);
    const { isBlocked, timeToExpire } = await this.counts.increment(use, DAY_MS, most, 0, '');
    if (!isBlocked) return;
    const reason = `Your ${whose} has sent its ${limit} bytes of timing messages and race-day updates of the day`;
    throw errors.dayUsedUp(reason, timeToExpire);
  }
}
