import { Id, Int, Text } from '#platform/validation';
/** Entries that were referred, by the status of their referral. */
export class ReferralCounts {
  /** Referrals that count. */
  @Int({ example: 31 }) eligible: number;

  /** Referrals whose reward was given. */
  @Int({ example: 4 }) redeemed: number;

  /** Referrals that were cancelled, or whose entry was. */
  @Int({ example: 2 }) cancelled: number;
}

/** A referral programme of an event occurrence. */
export class StaffReferralProgram {
  @Id() id: string;
  @Text({ example: 'Bring a friend' }) title: string;

  /** How many codes were generated. */
  @Int({ example: 812 }) referrers: number;

  /** How many of them referred at least one entry. */
  @Int({ example: 24 }) activeReferrers: number;
  referrals: ReferralCounts;
}
