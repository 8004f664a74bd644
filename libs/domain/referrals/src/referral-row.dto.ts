import type { ImportCorrection } from '#platform/import-rows';

/** A booking that was made with a referral code. Each of its entries becomes a referral. */
export class ReferralImportRow {
  /** @format uuid */
  referralProgramId: string;

  /**
   * The referral code. Case is ignored.
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
   * `REDEEMED`: the reward was given. `CANCELLED`: the referral does not count. If the referral was imported before, it
   * changes from `ELIGIBLE` to `REDEEMED` or `CANCELLED`, and from `REDEEMED` to `CANCELLED`; other changes fail with
   * `INVALID_TRANSITION`. If absent, it is `ELIGIBLE` or does not change.
   * @default ELIGIBLE
   */
  status?: 'ELIGIBLE' | 'CANCELLED' | 'REDEEMED';
}

export class ReferralsImport {
  /**
   * @minItems 1
   * @maxItems 10000
   */
  referrals: ReferralImportRow[];

  /** Of a correction: the failed rows of an earlier import that these rows replace. The new job is linked to it. */
  corrects?: ImportCorrection;
}
