/** A booking that came through somebody's referral code. */
export class ReferralImportRow {
  /** @format uuid */
  referralProgramId: string;

  /**
   * The code that was given.
   * @pattern \S
   * @maxLength 255
   * @example ADA-7F3
   */
  generatedReferralCode: string;

  /** @format uuid */
  referredBookingId?: string | null;

  /**
   * @pattern \S
   * @maxLength 255
   * @example order-1815
   */
  referredExternalBookingId?: string | null;

  /**
   * Whether the referral counts towards the programme's reward.
   * @pattern ^[A-Z_]{1,50}$
   * @default ELIGIBLE
   */
  status?: string;
}

export class ReferralsImport {
  /**
   * @minItems 1
   * @maxItems 10000
   */
  referrals: ReferralImportRow[];
}
