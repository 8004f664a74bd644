import { brokenPrice, defineImport, when } from '#platform/import-rows';
import { compared, instantOf } from '#platform/validation';
import { type DiscountCodeImportRow, DiscountCodesImport } from './discount-code-row.dto';

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
  identity: ({ code }) => compared(code),
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
  undo: {
    permission: 'discountCodes:write',
    handler: () =>
      (require('./undo-discount-codes') as typeof import('./undo-discount-codes')).undoDiscountCodes,
  },
});
