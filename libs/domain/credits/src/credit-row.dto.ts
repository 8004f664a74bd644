import type { ImportCorrection } from '#platform/import-rows';
import type { Price } from '#platform/queries';

/** A credit that a person can spend at your events. */
export class CreditImportRow {
  /**
   * Your own id.
   * @pattern \S
   * @maxLength 255
   * @example credit-7
   */
  externalCreditId: string;

  /**
   * @format email
   * @maxLength 254
   */
  email: string;

  /** Must be greater than 0. */
  amount: Price;

  /**
   * @maxLength 1000
   * @example Cancelled swim 2026
   */
  reason?: string | null;

  /** @format date-time */
  expiresAt?: string | null;

  /**
   * The only event at which the credit can be spent. If absent, every event.
   * @format uuid
   */
  eventId?: string | null;
}

export class CreditsImport {
  /**
   * @minItems 1
   * @maxItems 10000
   */
  credits: CreditImportRow[];

  /** Of a correction: the failed rows of an earlier import that these rows replace. The new job is linked to it. */
  corrects?: ImportCorrection;
}
