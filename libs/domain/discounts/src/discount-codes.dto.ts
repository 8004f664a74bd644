import { Matches, MaxLength, ValidateIf } from 'class-validator';
import type { Discount } from '#platform/queries';

/** `TRANSACTION`: the code applies once to a booking. `ENTRY`: it applies to each entry. */
export type DiscountAppliesPer = 'TRANSACTION' | 'ENTRY';

/** A code for a discount at checkout. */
export class DiscountCode {
  /** @format uuid */
  id: string;

  /**
   * The text to enter. Case is ignored.
   * @example SPRING-15
   */
  code: string;

  discount: Discount;
  appliesPer: DiscountAppliesPer;

  /**
   * The most uses: bookings, or entries if the code applies per entry.
   * @integer
   * @example 500
   */
  limitUsage: number | null;

  /**
   * The most entries of one booking that the code applies to.
   * @integer
   * @example 4
   */
  limitUsagePerTransaction: number | null;

  /**
   * The current uses: bookings, or entries if the code applies per entry.
   * @integer
   * @minimum 0
   */
  usageCount: number;

  /**
   * An internal name that groups codes.
   * @example Spring campaign
   */
  group: string | null;

  /**
   * The occurrences that the code is valid for; `null`: all.
   * @format uuid
   */
  eventOccurrenceIds: string[] | null;

  /**
   * The tickets that the code is valid for; `null`: all.
   * @format uuid
   */
  ticketIds: string[] | null;

  /**
   * The partner that the code was given to. Bookings with the code are not attributed to it.
   * @format uuid
   */
  partnerId: string | null;

  /**
   * The code is valid from this time on.
   * @format date-time
   */
  startDateTime: string | null;

  /**
   * The code is valid before this time.
   * @format date-time
   */
  endDateTime: string | null;

  /** @format date-time */
  createdAt: string;
}

/** Only the group can be changed. */
export class DiscountCodeUpdate {
  /**
   * `null` removes the code from its group.
   * @example Spring campaign
   */
  @ValidateIf((_, group) => group !== null)
  @Matches(/\S/, { message: 'group must be null or a string that is not blank' })
  @MaxLength(255)
  group: string | null;
}
