import { IsInt, Max, Min, ValidateIf } from 'class-validator';
import type { Discount } from '#platform/queries';
import type { DiscountAppliesPer } from './discount-codes.dto';

/** A discount code as staff see it. */
export class StaffDiscountCode {
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
   * The current uses, at all occurrences: bookings, or entries if the code applies per entry.
   * @integer
   * @example 12
   */
  usageCount: number;

  /**
   * `null`: no limit.
   * @integer
   * @example 500
   */
  limitUsage: number | null;

  /**
   * The uses that are left; `null`: no limit.
   * @integer
   * @example 488
   */
  usesLeft: number | null;

  /**
   * An internal name that groups codes.
   * @example Spring campaign
   */
  group: string | null;

  /** Whether the code is valid for every occurrence of the organization, and not for named ones only. */
  everywhere: boolean;

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
}

/** A higher limit of a discount code. */
export class DiscountCodeLimit {
  /**
   * The most uses; `null`: no limit. Not below the current limit.
   * @integer
   * @minimum 1
   * @maximum 1000000000
   * @example 500
   */
  @ValidateIf((_, limit) => limit !== null)
  @IsInt()
  @Min(1)
  @Max(1_000_000_000)
  limitUsage: number | null;
}
