import type { ImportCorrection } from '#platform/import-rows';
import { Id, Items, Text } from '#platform/validation';

/** A booking that was made with a referral code. Each of its entries becomes a referral. */
export class ReferralImportRow {
  @Id() referralProgramId: string;

  /** The referral code. Case is ignored. */
  @Text({ max: 255, pattern: /\S/, example: 'ADA-7F3' }) generatedReferralCode: string;
  @Id() referredBookingId?: string | null;
  @Text({ max: 255, pattern: /\S/, example: 'order-1815' }) referredExternalBookingId?: string | null;

  /**
   * `REDEEMED`: the reward was given. `CANCELLED`: the referral does not count. If the referral was imported before, it
   * changes from `ELIGIBLE` to `REDEEMED` or `CANCELLED`, and from `REDEEMED` to `CANCELLED`; other changes fail with
   * `INVALID_TRANSITION`. If absent, it is `ELIGIBLE` or does not change.
   */
  @Text({ default: 'ELIGIBLE' }) status?: 'ELIGIBLE' | 'CANCELLED' | 'REDEEMED';
}

export class ReferralsImport {
  @Items({ min: 1, max: 10_000 }) referrals: ReferralImportRow[];

  /** Of a correction: the failed rows of an earlier import that these rows replace. The new job is linked to it. */
  corrects?: ImportCorrection;
}
