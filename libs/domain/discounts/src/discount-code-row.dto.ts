import type { ImportCorrection } from '#platform/import-rows';
import type { Discount } from '#platform/queries';

/** A discount code. Case is ignored when codes are compared. */
export class DiscountCodeImportRow {
  /**
   * The text that people enter at checkout.
   * @pattern \S
   * @maxLength 255
   * @example EARLY10
   */
  code: string;

  discount: Discount;

  /**
   * `TRANSACTION`: the code applies once to all matching entries of a booking, and limits count bookings. `ENTRY`: the
   * code applies to each matching entry, and limits count entries.
   * @default TRANSACTION
   */
  appliesPer?: 'TRANSACTION' | 'ENTRY';

  /**
   * The most uses. If absent, there is no limit.
   * @integer
   * @minimum 1
   * @maximum 1000000000
   * @example 500
   */
  limitUsage?: number | null;

  /**
   * Only with `appliesPer` `ENTRY`: the most entries of one booking that the code applies to.
   * @integer
   * @minimum 1
   * @maximum 1000000000
   * @example 4
   */
  limitUsagePerTransaction?: number | null;

  /**
   * An internal name.
   * @maxLength 255
   * @example Spring campaign
   */
  group?: string | null;

  /**
   * Only for these occurrences.
   * @format uuid
   * @maxItems 1000
   */
  eventOccurrenceIds?: string[] | null;

  /**
   * Only for these tickets.
   * @format uuid
   * @maxItems 1000
   */
  ticketIds?: string[] | null;

  /**
   * The partner that the code was given to. It is shown with the code; bookings with the code are not attributed to it.
   * @format uuid
   */
  partnerId?: string | null;

  /**
   * The code is valid for bookings from this time on.
   * @format date-time
   */
  startDateTime?: string | null;

  /**
   * The code is valid for bookings before this time.
   * @format date-time
   */
  endDateTime?: string | null;
}

export class DiscountCodesImport {
  /**
   * @minItems 1
   * @maxItems 10000
   */
  discountCodes: DiscountCodeImportRow[];

  /** Of a correction: the failed rows of an earlier import that these rows replace. The new job is linked to it. */
  corrects?: ImportCorrection;
}
