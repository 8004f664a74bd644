import type { Discount } from '#platform/queries';
import { DateTime, Id, Int, Text } from '#platform/validation';
import type { DiscountAppliesPer } from './discount-codes.dto';

/** A discount code as staff see it. */
export class StaffDiscountCode {
  @Id() id: string;

  /** The text to enter. Case is ignored. */
  @Text({ example: 'SPRING-15' }) code: string;
  discount: Discount;
  appliesPer: DiscountAppliesPer;

  /** The current uses, at all occurrences: bookings, or entries if the code applies per entry. */
  @Int({ example: 12 }) usageCount: number;

  /** `null`: no limit. */
  @Int({ example: 500 }) limitUsage: number | null;

  /** The uses that are left; `null`: no limit. */
  @Int({ example: 488 }) usesLeft: number | null;

  /** An internal name that groups codes. */
  @Text({ example: 'Spring campaign' }) group: string | null;

  /** Whether the code is valid for every occurrence of the organization, and not for named ones only. */
  everywhere: boolean;

  /** The code is valid from this time on. */
  @DateTime() startDateTime: string | null;

  /** The code is valid before this time. */
  @DateTime() endDateTime: string | null;
}

/** What staff change of a discount code. What is absent does not change. */
export class StaffDiscountCodeUpdate {
  /** The most uses; `null`: no limit. Not below the current limit. */
  @Int({ min: 1, max: 1_000_000_000, example: 500 }) limitUsage?: number | null;

  /** When it ends; `null`: never. Later than its start. */
  @DateTime() endDateTime?: string | null;
}
