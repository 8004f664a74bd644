import { defineImport, problemOfPrice } from '#libs/import-rows';
import { instantOf } from '#libs/input';
import { type DiscountCodeImportRow, DiscountCodesImport } from './discount-code-row.dto';

export const discountCodesImport = defineImport<'discountCodesImport', DiscountCodeImportRow>({
  surface: 'discountCodesImport',
  what: 'discount codes',
  description:
    'With `appliesPer` `ENTRY` each entry is discounted and limits count entries; with `TRANSACTION` the basket ' +
    'is discounted once and limits count bookings. `limitUsagePerTransaction` needs `ENTRY`.',
  path: 'discount-codes/import',
  collection: 'discountCodes',
  body: DiscountCodesImport,
  externalId: 'code',
  identity: ({ code }) => code.toLowerCase(),
  problem: ({ appliesPer, limitUsagePerTransaction, discount, startDateTime, endDateTime }) => {
    if (limitUsagePerTransaction != null && appliesPer !== 'ENTRY') {
      return '.limitUsagePerTransaction is only valid when appliesPer is ENTRY';
    }
    if (discount.type === 'PERCENTAGE' && !(discount.amount > 0 && discount.amount <= 100)) {
      return '.discount.amount must be more than 0, and 100 at most';
    }
    const wrong = discount.type === 'FLAT_RATE' && problemOfPrice('.discount.price', discount.price);
    if (wrong) return wrong;
    const [start, end] = [startDateTime, endDateTime].map((moment) => moment && instantOf(moment));
    return start && end && start >= end ? '.endDateTime must be later than startDateTime' : undefined;
  },
  handler: () =>
    (require('./import-discount-codes') as typeof import('./import-discount-codes')).importDiscountCodes,
});
