import type { Discount } from '#libs/resources';

/** One discount code. Codes are compared without regard to case. */
export class DiscountCodeImportRow {
  /**
   * What people type in.
   * @pattern \S
   * @maxLength 255
   * @example EARLY10
   */
  code: string;

  discount: Discount;

  /**
   * `TRANSACTION`: the basket is discounted once, and limits count bookings. `ENTRY`: each entry is discounted,
   * and limits count entries.
   * @default TRANSACTION
   */
  appliesPer?: 'TRANSACTION' | 'ENTRY';

  /**
   * How often it may be used; absent: without end.
   * @integer
   * @minimum 1
   * @maximum 1000000000
   * @example 500
   */
  limitUsage?: number | null;

  /**
   * Only with `appliesPer` `ENTRY`.
   * @integer
   * @minimum 1
   * @maximum 50
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

  /** @format uuid */
  partnerId?: string | null;

  /**
   * It is good from this moment on.
   * @format date-time
   */
  startDateTime?: string | null;

  /**
   * It is good until this moment.
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
}
