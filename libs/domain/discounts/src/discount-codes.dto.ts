import type { Discount } from '#platform/queries';
import { DateTime, Id, Int, Text } from '#platform/validation';

/** `TRANSACTION`: the code applies once to a booking. `ENTRY`: it applies to each entry. */
export type DiscountAppliesPer = 'TRANSACTION' | 'ENTRY';

/** A code for a discount at checkout. */
export class DiscountCode {
  @Id() id: string;

  /** The text to enter. Case is ignored. */
  @Text({ example: 'SPRING-15' }) code: string;
  discount: Discount;
  appliesPer: DiscountAppliesPer;

  /** The most uses: bookings, or entries if the code applies per entry. */
  @Int({ example: 500 }) limitUsage: number | null;

  /** The most entries of one booking that the code applies to. */
  @Int({ example: 4 }) limitUsagePerTransaction: number | null;

  /** The current uses: bookings, or entries if the code applies per entry. */
  @Int({ min: 0 }) usageCount: number;

  /** An internal name that groups codes. */
  @Text({ example: 'Spring campaign' }) group: string | null;

  /** The occurrences that the code is valid for; `null`: all. */
  @Id() eventOccurrenceIds: string[] | null;

  /** The tickets that the code is valid for; `null`: all. */
  @Id() ticketIds: string[] | null;

  /** The partner that the code was given to. Bookings with the code are not attributed to it. */
  @Id() partnerId: string | null;

  /** The code is valid from this time on. */
  @DateTime() startDateTime: string | null;

  /** The code is valid before this time. */
  @DateTime() endDateTime: string | null;
  @DateTime() createdAt: string;
}

/** Only the group can be changed. */
export class DiscountCodeUpdate {
  /** `null` removes the code from its group. */
  @Text({ max: 255, pattern: /\S/, example: 'Spring campaign' }) group: string | null;
}
