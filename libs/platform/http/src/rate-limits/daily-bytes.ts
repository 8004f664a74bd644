import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';
import type { Caller } from '#platform/access';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, DiskReserve, OF_A_DAY } from '#platform/database';
import { errors } from '#platform/validation';
import type { Use } from './rate-counter';
import type { RateCounts } from './rate-counts';
import type { DailyKind } from './writes';

const DAY_MS = 86_400_000;
/** What is counted, so that a count fits into an integer. */
const UNIT_BYTES = 1_000;
/** Race day goes on until less than this part of the reserve is free. */
const OF_RESERVE_FOR_RACE_DAY = 0.2;

type Sender = Pick<Caller, 'organizationId' | 'keyId' | 'partner'>;

interface Share {
  /** The id of whom it is counted for. */
  of: string;
  /** The name of the counter. */
  name: string;
  part: number;
  reason: (limit: number) => string;
}

/** A partner, with its sub-partners, can use a tenth of an allowance, and all partners half of it. */
const ofPartners = (kind: string, { organizationId, partner }: Sender, reason: () => string): Share[] =>
  partner
    ? [
        { of: partner.parentId ?? partner.id, name: `${OF_A_DAY}${kind}`, part: 0.1, reason },
        { of: organizationId, name: `${OF_A_DAY}${kind} of partners`, part: 0.5, reason },
      ]
    : [];

/** The shares of each allowance that a sender uses; the last one is all of it. Without it, one key can fill the disk of all organizations. */
const SHARES: Record<DailyKind, (sender: Sender) => Share[]> = {
  imports: (sender) => {
    const ofPartner = () => "The share of your partner in the organization's imports of the day is used up";
    const reason = (limit: number) => `Your organization has sent its ${limit} bytes of imports of the day`;
    const all = { of: sender.organizationId, name: `${OF_A_DAY}imports`, part: 1, reason };
    return [...ofPartners('imports', sender, ofPartner), all];
  },
  // A program that repeats its changes stops neither other keys nor the console.
  writes: (sender) => {
    const ofPartner = () => "The share of your partner in the organization's changes of the day is used up";
    const reason = (whose: string) => (limit: number) =>
      `Your ${whose} has used its ${limit} bytes for changes of the day`;
    return [
      ...ofPartners('writes', sender, ofPartner),
      { of: sender.keyId, name: `${OF_A_DAY}writes`, part: 0.5, reason: reason('key') },
      { of: sender.organizationId, name: `${OF_A_DAY}writes`, part: 1, reason: reason('organization') },
    ];
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
 * The bytes that an organization may send or store in a day, which begins with the first of them, and the room that the database must
 * have for them. The last body of a day may exceed them. A body counts in whole kilobytes.
 */
@Injectable()
export class DailyBytes implements OnModuleInit {
  private readonly reserve: DiskReserve;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(ThrottlerStorage) private readonly counts: RateCounts,
    database: Database,
  ) {
    const logger = new Logger('disk');
    this.reserve = new DiskReserve(
      settings,
      (work) => database.anywhere(work),
      (message) => logger.warn(message),
    );
  }

  /** Warns at start of a directory that can't be read. */
  onModuleInit(): void {
    void this.reserve.isFree();
  }

  /** @throws ApiError 429 if the bytes of the day are used up, 503 if the database is too full */
  async require(kind: DailyKind, sender: Sender): Promise<void> {
    if (!(await this.reserve.isFree(kind === 'raceDay' ? OF_RESERVE_FOR_RACE_DAY : 1)))
      throw errors.diskFull();
    await this.add(kind, sender, 0);
  }

  /** @throws ApiError 429 if the bytes of the day are used up; then no share counts them */
  async add(kind: DailyKind, sender: Sender, bytes: number): Promise<void> {
    const limit = this.limitOf(kind);
    const counting: Share[] = [];
    for (const share of SHARES[kind](sender)) {
      const { refused, counted, resetMs } = await this.count(kind, sender, share, bytes);
      if (counted) counting.push(share);
      if (!refused) continue;
      for (const each of counting) await this.count(kind, sender, each, -bytes);
      throw errors.dayUsedUp(share.reason(limit * share.part), Math.ceil(resetMs / 1_000));
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
    const { IMPORT_BYTES_PER_DAY, WRITE_BYTES_PER_DAY, RACE_DAY_BYTES_PER_DAY } = this.settings;
    return { imports: IMPORT_BYTES_PER_DAY, writes: WRITE_BYTES_PER_DAY, raceDay: RACE_DAY_BYTES_PER_DAY }[
      kind
    ];
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
