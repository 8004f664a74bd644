import { brokenPrice, defineImport, when } from '#libs/import-rows';
import { instantOf } from '#libs/input';
import type { Discount } from '#libs/resources';

/** A discount code. Case is ignored when codes are compared. */
export class DiscountCodeImportRow {
  /**
   * The text that people enter at checkout.
   * @pattern \S
   * @maxLength 255
   * @example EARLY10
   */
  code: string;

  discount: Discount;

  /**
   * `TRANSACTION`: the code applies once to all matching entries of a booking, and limits count bookings. `ENTRY`: the
   * code applies to each matching entry, and limits count entries.
   * @default TRANSACTION
   */
  appliesPer?: 'TRANSACTION' | 'ENTRY';

  /**
   * The most uses. If absent, there is no limit.
   * @integer
   * @minimum 1
   * @maximum 1000000000
   * @example 500
   */
  limitUsage?: number | null;

  /**
   * Only with `appliesPer` `ENTRY`.
   * @integer
   * @minimum 1
   * @maximum 50
   * @example 4
   */
  limitUsagePerTransaction?: number | null;

  /**
   * An internal name.
   * @maxLength 255
   * @example Spring campaign
   */
  group?: string | null;

  /**
   * Only for these occurrences.
   * @format uuid
   * @maxItems 1000
   */
  eventOccurrenceIds?: string[] | null;

  /**
   * Only for these tickets.
   * @format uuid
   * @maxItems 1000
   */
  ticketIds?: string[] | null;

  /** @format uuid */
  partnerId?: string | null;

  /**
   * The code is valid for bookings from this time on.
   * @format date-time
   */
  startDateTime?: string | null;

  /**
   * The code is valid for bookings before this time.
   * @format date-time
   */
  endDateTime?: string | null;
}

export class DiscountCodesImport {
  /**
   * @minItems 1
   * @maxItems 10000
   */
  discountCodes: DiscountCodeImportRow[];
}

export const discountCodesImport = defineImport<'discountCodesImport', DiscountCodeImportRow>({
  surface: 'discountCodesImport',
  what: 'discount codes',
  description:
    'With `appliesPer` `ENTRY`, each entry is discounted and limits count entries. With `TRANSACTION`, the booking ' +
    'is discounted once and limits count bookings. `limitUsagePerTransaction` requires `ENTRY`.',
  path: 'discount-codes/import',
  collection: 'discountCodes',
  body: DiscountCodesImport,
  row: 'DiscountCodeImportRow',
  externalId: 'code',
  identity: ({ code }) => code.toLowerCase(),
  broken: ({ appliesPer, limitUsagePerTransaction, discount, startDateTime, endDateTime }) => {
    const [start, end] = [startDateTime, endDateTime].map((moment) => moment && instantOf(moment));
    const rules = when(
      [
        limitUsagePerTransaction != null && appliesPer !== 'ENTRY',
        'limitUsagePerTransaction',
        'INVALID_COMBINATION',
        'is only valid when appliesPer is ENTRY',
      ],
      [
        discount.type === 'PERCENTAGE' && !(discount.amount > 0 && discount.amount <= 100),
        'discount.amount',
        'OUT_OF_RANGE',
        'must be more than 0 and at most 100',
      ],
      [
        start && end && start >= end,
        'endDateTime',
        'INVALID_COMBINATION',
        'must be later than startDateTime',
      ],
    );
    return discount.type === 'FLAT_RATE'
      ? [...rules, ...brokenPrice('discount.price', discount.price)]
      : rules;
  },
  ids: { discountCodeId: 'discount_codes.id' },
  handler: () =>
    (require('./import-discount-codes') as typeof import('./import-discount-codes')).importDiscountCodes,
});
