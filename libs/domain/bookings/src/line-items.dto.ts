import type { Price } from '#platform/queries';
import { DateTime, Id, Text } from '#platform/validation';

/** The type of the amount. */
export type LineItemType =
  | 'TICKET'
  | 'ADD_ON'
  | 'DONATION'
  | 'BOOKING_FEE'
  | 'DISCOUNT'
  | 'CREDIT'
  | 'REFUND';

/** An amount of a booking. */
export class LineItem {
  @Id() id: string;
  @Id() bookingId: string;

  /** Negative for discounts, credits and refunds. */
  amount: Price;
  itemType: LineItemType;
  @Text({ example: '10K early bird' }) name: string;

  /** The id of the product: a ticket, an add-on, or a product of the platform of the sale. */
  @Text({ example: '01990f3e-7a54-7c1b-9d0e-5b1f6a2c8e47' }) itemId: string | null;

  /** The id of the variant, for example of an add-on. */
  @Text({ example: '01990f3e-7a54-7d22-8a41-0c6e2b9f7d10' }) itemSelectionId: string | null;

  /** The participants that it is for; empty if it is for the booking as a whole. */
  @Id() participantId: string | null;

  /** The id in the system that it was imported from. Cancelling does not remove it. */
  @Text({ example: 'LINE-88213' }) externalLineItemId: string | null;
  @DateTime() createdAt: string;
  @DateTime() updatedAt: string;
}
