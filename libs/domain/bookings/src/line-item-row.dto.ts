import type { ImportCorrection } from '#platform/import-rows';
import type { Price } from '#platform/queries';
import { Id, Items, Text } from '#platform/validation';

/** An amount of a booking. Identify the booking by `bookingId` or by your `externalBookingId`. */
export class LineItemImportRow {
  /** Your own id. */
  @Text({ max: 255, pattern: /\S/, example: 'order-1815-fee' }) externalLineItemId: string;
  @Id() bookingId?: string | null;
  @Text({ max: 255, pattern: /\S/, example: 'order-1815' }) externalBookingId?: string | null;
  @Id() participantId?: string | null;

  /** What was sold or deducted. */
  itemType: 'TICKET' | 'ADD_ON' | 'DONATION' | 'BOOKING_FEE' | 'DISCOUNT' | 'CREDIT' | 'REFUND';

  /**
   * The id of the product, on this platform or on the platform of the sale. With `itemType` `CREDIT`: the `id` or
   * `externalCreditId` of the credit that was spent; the credit's `balance` follows.
   */
  @Text({ max: 255, example: 'shirt-2027' }) itemId?: string | null;

  /** The id of the variant. */
  @Text({ max: 255, example: 'size-m' }) itemSelectionId?: string | null;
  @Text({ max: 255, pattern: /\S/, example: 'Booking fee' }) name: string;

  /**
   * Of `ADD_ON`, `DONATION` and `BOOKING_FEE` 0 or more, of `DISCOUNT`, `CREDIT` and `REFUND` 0 or less, else the row fails with `INVALID_SIGN`.
   * A `TICKET` can be either. Only a `REFUND` can be added to a cancelled booking.
   */
  amount: Price;
}

export class LineItemsImport {
  @Items({ min: 1, max: 10_000 }) lineItems: LineItemImportRow[];

  /** Of a correction: the failed rows of an earlier import that these rows replace. The new job is linked to it. */
  corrects?: ImportCorrection;
}
