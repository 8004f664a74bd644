import type { DiscountAppliesPer } from '#libs/discounts';
import type { Discount } from '#libs/resources';

/** A discount code that is valid for an event occurrence. */
export class StaffDiscountCode {
  /** @format uuid */
  id: string;

  /**
   * The text to enter. Case is ignored.
   * @example SPRING-15
   */
  code: string;

  discount: Discount;
  appliesPer: DiscountAppliesPer;

  /**
   * The current uses, at all occurrences: bookings, or entries if the code applies per entry.
   * @integer
   * @example 12
   */
  usageCount: number;

  /**
   * `null`: no limit.
   * @integer
   * @example 500
   */
  limitUsage: number | null;

  /**
   * The uses that are left; `null`: no limit.
   * @integer
   * @example 488
   */
  usesLeft: number | null;

  /**
   * An internal name that groups codes.
   * @example Spring campaign
   */
  group: string | null;

  /** Whether the code is valid for every occurrence of the organization, and not for named ones only. */
  everywhere: boolean;

  /**
   * The code is valid from this time on.
   * @format date-time
   */
  startDateTime: string | null;

  /**
   * The code is valid before this time.
   * @format date-time
   */
  endDateTime: string | null;
}

/** Entries that were referred, by the status of their referral. */
export class ReferralCounts {
  /**
   * Referrals that count.
   * @integer
   * @example 31
   */
  eligible: number;

  /**
   * Referrals whose reward was given.
   * @integer
   * @example 4
   */
  redeemed: number;

  /**
   * Referrals that were cancelled, or whose entry was.
   * @integer
   * @example 2
   */
  cancelled: number;
}

/** A referral programme of an event occurrence. */
export class StaffReferralProgram {
  /** @format uuid */
  id: string;

  /** @example Bring a friend */
  title: string;

  /**
   * How many codes were generated.
   * @integer
   * @example 812
   */
  referrers: number;

  /**
   * How many of them referred at least one entry.
   * @integer
   * @example 24
   */
  activeReferrers: number;

  referrals: ReferralCounts;
}
