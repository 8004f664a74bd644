import type { Price } from '#platform/queries';
import { DateTime, Email, Id, Text } from '#platform/validation';

/** Money that a person can spend at your events. */
export class Credit {
  @Id() id: string;

  /** Your id of the credit. */
  @Text({ example: 'credit-7' }) externalCreditId: string | null;

  /** The person who can spend it; `null` after the erasure of the person. */
  @Email() email: string | null;

  /** The original amount. */
  amount: Price;

  /**
   * The amount minus the line items of type `CREDIT` in its currency whose `itemId` is the credit's `id` or
   * `externalCreditId`. Line items of cancelled bookings do not count. 0 after the credit has expired. Negative if
   * more was spent than the amount.
   */
  balance: Price;
  @Text({ example: 'Cancelled swim 2026' }) reason: string | null;

  /** From this time on, the balance is 0. */
  @DateTime() expiresAt: string | null;

  /** The only event at which it can be spent. */
  @Id() eventId: string | null;
  @DateTime() createdAt: string;
}
