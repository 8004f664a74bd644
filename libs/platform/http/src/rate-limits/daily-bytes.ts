import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { Caller } from '#platform/access';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, DiskReserve, OF_A_DAY } from '#platform/database';
import { errors } from '#platform/validation';
import type { OperationDeclaration } from '../operation-declaration';
import type { Use } from './rate-counter';
import type { RateCounts } from './rate-counts';

const DAY_MS = 86_400_000;
/** What is counted, so that a count fits into an integer. */
const UNIT_BYTES = 1_000;

/** What is kept for weeks: without a limit, one key can fill the disk of all organizations. */
type DailyKind = NonNullable<OperationDeclaration['counts']>;
type Sender = Pick<Caller, 'organizationId' | 'keyId' | 'partner'>;

interface Share {
  /** The id of whom it is counted for. */
  of: string;
  /** The name of the counter. */
  name: string;
  part: number;
  reason: (limit: number) => string;
}

/** The shares of each allowance that a sender uses; the last one is all of it. */
const SHARES: Record<DailyKind, (sender: Sender) => Share[]> = {
  // A partner, with its sub-partners, can send a tenth of the bytes, and all partners half of them.
  imports: ({ organizationId, partner }) => {
    const reason = () => "The share of your partner in the organization's imports of the day is used up";
    const ofPartners = partner && [
      { of: partner.parentId ?? partner.id, name: `${OF_A_DAY}imports`, part: 0.1, reason },
      { of: organizationId, name: `${OF_A_DAY}imports of partners`, part: 0.5, reason },
    ];
    const all = (limit: number) => `Your organization has sent its ${limit} bytes of imports of the day`;
    return [...(ofPartners ?? []), { of: organizationId, name: `${OF_A_DAY}imports`, part: 1, reason: all }];
  },
  // A program that repeats its messages stops neither other keys nor the desk.
  raceDay: ({ organizationId, keyId }) => {
    const reason = (whose: string) => (limit: number) =>
      `Your ${whose} has sent its ${limit} bytes of timing messages and race-day updates of the day`;
    return [
      { of: keyId, name: `${OF_A_DAY}race day`, part: 0.5, reason: reason('key') },
      { of: organizationId, name: `${OF_A_DAY}race day`, part: 1, reason: reason('organization') },
    ];
  },
};

/**
 * The bytes that an organization may send in a day, which begins with the first of them, and the room that the database must
 * have for them. The last body of a day may exceed them. A body counts in whole kilobytes.
 */
@Injectable()
export class DailyBytes {
  private readonly reserve: DiskReserve;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(ThrottlerStorage) private readonly counts: RateCounts,
    database: Database,
  ) {
    this.reserve = new DiskReserve(settings, (work) => database.anywhere(work));
  }

  /** @throws ApiError 429 if the bytes of the day are used up, 503 if the database is too full for imports */
  async require(kind: DailyKind, sender: Sender): Promise<void> {
    if (kind === 'imports' && !(await this.reserve.isFree())) throw errors.diskFull();
    await this.add(kind, sender, 0);
  }

  /** @throws ApiError 429 if the bytes of the day are used up */
  async add(kind: DailyKind, sender: Sender, bytes: number): Promise<void> {
    const limit = this.limitOf(kind);
    for (const share of SHARES[kind](sender)) {
      const { refused, resetMs } = await this.count(kind, sender, share, bytes);
      if (refused) throw errors.dayUsedUp(share.reason(limit * share.part), Math.ceil(resetMs / 1_000));
    }
  }

  /** Takes back what was added for a body that was refused then. */
  async takeBack(kind: DailyKind, sender: Sender, bytes: number): Promise<void> {
    for (const share of SHARES[kind](sender)) await this.count(kind, sender, share, -bytes);
  }

  async usedOf(kind: DailyKind, sender: Sender) {
    const [all] = SHARES[kind](sender).slice(-1) as [Share];
    const { used, resetMs } = await this.count(kind, sender, all, 0);
    const allowedBytes = this.limitOf(kind);
    return { allowedBytes, usedBytes: Math.min(used * UNIT_BYTES, allowedBytes), resetMs };
  }

  private limitOf(kind: DailyKind): number {
    const { IMPORT_BYTES_PER_DAY, RACE_DAY_BYTES_PER_DAY } = this.settings;
    return kind === 'imports' ? IMPORT_BYTES_PER_DAY : RACE_DAY_BYTES_PER_DAY;
  }

  private count(
    kind: DailyKind,
    { organizationId }: Sender,
    { of, name, part }: Share,
    bytes: number,
  ): Promise<Use> {
    const limit = Math.ceil((this.limitOf(kind) * part) / UNIT_BYTES);
    const key = { organizationId, keyId: of, operation: name };
    const weight = Math.sign(bytes) * Math.ceil(Math.abs(bytes) / UNIT_BYTES);
    return this.counts.count(key, { limit, windowMs: DAY_MS, isExact: kind === 'imports' }, weight);
  }
}
