import type { Price } from '#libs/resources';

/** What the amount is for. */
export type LineItemType =
  | 'TICKET'
  | 'ADD_ON'
  | 'DONATION'
  | 'BOOKING_FEE'
  | 'DISCOUNT'
  | 'CREDIT'
  | 'REFUND';

/** One amount of a booking. */
export class LineItem {
  /** @format uuid */
  id: string;

  /** Negative for discounts, credits and refunds. */
  amount: Price;

  itemType: LineItemType;

  /** @example 10K early bird */
  name: string;

  /**
   * What was sold: a ticket's or add-on's id, or an id of the platform that it came from.
   * @example 01990f3e-7a54-7c1b-9d0e-5b1f6a2c8e47
   */
  itemId: string | null;

  /**
   * The choice within it: an add-on's variant, for one.
   * @example 01990f3e-7a54-7d22-8a41-0c6e2b9f7d10
   */
  itemSelectionId: string | null;

  /**
   * Whom it is for; empty where it is for the booking as a whole.
   * @format uuid
   */
  participantId: string | null;

  /**
   * Its id where it came from; kept after cancelling.
   * @example LINE-88213
   */
  externalLineItemId: string | null;
}
