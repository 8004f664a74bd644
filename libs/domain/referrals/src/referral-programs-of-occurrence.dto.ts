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
