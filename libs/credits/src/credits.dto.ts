import type { Price } from '#libs/resources';

/** Money that a person may spend at your events. */
export class Credit {
  /** @format uuid */
  id: string;

  /**
   * Your own id of it.
   * @example credit-7
   */
  externalCreditId: string | null;

  /**
   * Who may spend it. Null once the person's data is erased.
   * @format email
   */
  email: string | null;

  /** What it was worth when it was given. */
  amount: Price;

  /**
   * What is left: the amount, less the line items of type `CREDIT` in its currency whose `itemId` is the credit's `id` or
   * `externalCreditId`. Line items of cancelled bookings don't count. 0 once the credit has expired. Negative where more was
   * spent than there was.
   */
  balance: Price;

  /** @example Cancelled swim 2026 */
  reason: string | null;

  /**
   * From this moment on its balance is 0.
   * @format date-time
   */
  expiresAt: string | null;

  /**
   * The only event that it may be spent at.
   * @format uuid
   */
  eventId: string | null;

  /** @format date-time */
  createdAt: string;
}
