import type { ImportCorrection } from '#platform/import-rows';
import type { Discount } from '#platform/queries';
import { DateTime, Id, Int, Items, Name, Text } from '#platform/validation';

/** A discount code. Codes are the same in any spelling (docs/interface.md#comparing). */
export class DiscountCodeImportRow {
  /** The text that people enter at checkout. */
  @Text({ max: 255, pattern: /\S/, example: 'EARLY10' }) code: string;
  discount: Discount;

  /**
   * `TRANSACTION`: the code applies once to all matching entries of a booking, and limits count bookings. `ENTRY`: the
   * code applies to each matching entry, and limits count entries.
   */
  @Text({ default: 'TRANSACTION' }) appliesPer?: 'TRANSACTION' | 'ENTRY';

  /** The most uses. If absent, there is no limit. */
  @Int({ min: 1, max: 1_000_000_000, example: 500 }) limitUsage?: number | null;

  /** Only with `appliesPer` `ENTRY`: the most entries of one booking that the code applies to. */
  @Int({ min: 1, max: 1_000_000_000, example: 4 }) limitUsagePerTransaction?: number | null;

  /** An internal name. */
  @Name({ max: 255, example: 'Spring campaign' }) group?: string | null;

  /** Only for these occurrences; absent or `null`: all. */
  @Id({ minItems: 1, maxItems: 1_000 }) eventOccurrenceIds?: string[] | null;

  /** Only for these tickets; absent or `null`: all. */
  @Id({ minItems: 1, maxItems: 1_000 }) ticketIds?: string[] | null;

  /** The partner that the code was given to. It is shown with the code; bookings with the code are not attributed to it. */
  @Id() partnerId?: string | null;

  /** The code is valid for bookings from this time on. */
  @DateTime() startDateTime?: string | null;

  /** The code is valid for bookings before this time. */
  @DateTime() endDateTime?: string | null;
}

export class DiscountCodesImport {
  @Items({ min: 1, max: 10_000 }) discountCodes: DiscountCodeImportRow[];

  /** Of a correction: the failed rows of an earlier import that these rows replace. The new job is linked to it. */
  corrects?: ImportCorrection;
}
