import type { Price } from '#platform/queries';

/** Money that a person can spend at your events. */
export class Credit {
  /** @format uuid */
  id: string;

  /**
   * Your id of the credit.
   * @example credit-7
   */
  externalCreditId: string | null;

  /**
   * The person who can spend it; `null` after the erasure of the person.
   * @format email
   */
  email: string | null;

  /** The original amount. */
  amount: Price;

  /**
   * The amount minus the line items of type `CREDIT` in its currency whose `itemId` is the credit's `id` or
   * `externalCreditId`. Line items of cancelled bookings do not count. 0 after the credit has expired. Negative if
   * more was spent than the amount.
   */
  balance: Price;

  /** @example Cancelled swim 2026 */
  reason: string | null;

  /**
   * From this time on, the balance is 0.
   * @format date-time
   */
  expiresAt: string | null;

  /**
   * The only event at which it can be spent.
   * @format uuid
   */
  eventId: string | null;

  /** @format date-time */
  createdAt: string;
}
