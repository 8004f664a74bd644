import type { ImportCorrection } from '#platform/import-rows';
import type { Price } from '#platform/queries';

/** An amount of a booking. Identify the booking by `bookingId` or by your `externalBookingId`. */
export class LineItemImportRow {
  /**
   * Your own id.
   * @pattern \S
   * @maxLength 255
   * @example order-1815-fee
   */
  externalLineItemId: string;

  /** @format uuid */
  bookingId?: string | null;

  /**
   * @pattern \S
   * @maxLength 255
   * @example order-1815
   */
  externalBookingId?: string | null;

  /** @format uuid */
  participantId?: string | null;

  itemType: 'TICKET' | 'ADD_ON' | 'DONATION' | 'BOOKING_FEE' | 'DISCOUNT' | 'CREDIT' | 'REFUND';

  /**
   * The id of the product, on this platform or on the platform of the sale. With `itemType` `CREDIT`: the `id` or
   * `externalCreditId` of the credit that was spent; the credit's `balance` follows.
   * @maxLength 255
   * @example shirt-2027
   */
  itemId?: string | null;

  /**
   * The id of the variant.
   * @maxLength 255
   * @example size-m
   */
  itemSelectionId?: string | null;

  /**
   * @pattern \S
   * @maxLength 255
   * @example Booking fee
   */
  name: string;

  /** May be negative. */
  amount: Price;
}

export class LineItemsImport {
  /**
   * @minItems 1
   * @maxItems 10000
   */
  lineItems: LineItemImportRow[];

  /** Of a correction: the failed rows of an earlier import that these rows replace. The new job is linked to it. */
  corrects?: ImportCorrection;
}
