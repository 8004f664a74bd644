import { Matches, MaxLength, ValidateIf } from 'class-validator';
import type { Discount } from '#libs/resources';

/** `TRANSACTION`: the basket is discounted once; `ENTRY`: each participant's entry. */
export type DiscountAppliesPer = 'TRANSACTION' | 'ENTRY';

/** A code to type at checkout. */
export class DiscountCode {
  /** @format uuid */
  id: string;

  /**
   * What to type; upper and lower case are the same.
   * @example SPRING-15
   */
  code: string;

  discount: Discount;
  appliesPer: DiscountAppliesPer;

  /**
   * How often it may be used: in bookings, or in entries where it applies per entry.
   * @integer
   * @example 500
   */
  limitUsage: number | null;

  /**
   * How many entries of one booking it may discount.
   * @integer
   * @example 4
   */
  limitUsagePerTransaction: number | null;

  /**
   * How often it is in use: in bookings, or in entries where it applies per entry.
   * @integer
   * @minimum 0
   */
  usageCount: number;

  /**
   * An internal name to sort codes by.
   * @example Spring campaign
   */
  group: string | null;

  /**
   * The occurrences that it is good for; null: all.
   * @format uuid
   */
  eventOccurrenceIds: string[] | null;

  /**
   * The tickets that it is good for; null: all.
   * @format uuid
   */
  ticketIds: string[] | null;

  /**
   * The partner that it was given to.
   * @format uuid
   */
  partnerId: string | null;

  /**
   * It is good from this moment on.
   * @format date-time
   */
  startDateTime: string | null;

  /**
   * It is good until this moment.
   * @format date-time
   */
  endDateTime: string | null;

  /** @format date-time */
  createdAt: string;
}

/** Only the group can be changed. */
export class DiscountCodeUpdate {
  /**
   * Null takes it out of its group.
   * @example Spring campaign
   */
  @ValidateIf((_, group) => group !== null)
  @Matches(/\S/, { message: 'group must be null or a string that is not blank' })
  @MaxLength(255)
  group: string | null;
}
