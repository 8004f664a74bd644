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
   * `TRANSACTION`: the entries of a booking that the code fits are discounted once, together, and limits count
   * bookings. `ENTRY`: each entry that it fits is discounted, and limits count entries.
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
   * Bookings from this moment on may use it.
   * @format date-time
   */
  startDateTime?: string | null;

  /**
   * Bookings before this moment may use it.
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
