import type { Price } from '#libs/http';

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

  /** @maxLength 255 */
  itemId?: string | null;

  /** @maxLength 255 */
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
