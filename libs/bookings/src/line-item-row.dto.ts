import type { Price } from '#libs/resources';

/** One amount of a booking. Name the booking by its id or by your own. */
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
   * What was sold: an id of ours, or of the platform that it came from. With `itemType` `CREDIT`: the `id` or
   * `externalCreditId` of the credit that was spent; the credit's `balance` follows.
   * @maxLength 255
   * @example shirt-2027
   */
  itemId?: string | null;

  /**
   * The choice within it.
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
}
