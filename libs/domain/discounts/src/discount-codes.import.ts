import { brokenPrice, brokenZone, defineImport, when } from '#platform/import-rows';
import { hasZone, instantOf } from '#platform/validation';
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
  identity: { code: 'compared' },
  broken: ({ appliesPer, limitUsagePerTransaction, discount, eventOccurrenceIds, ...times }) => {
    const { startDateTime, endDateTime } = times;
    const [start, end] = [startDateTime, endDateTime].map((moment) => moment && instantOf(moment));
    const isLocal = eventOccurrenceIds?.length === 1;
    const rules = [
      ...brokenZone('startDateTime', startDateTime, isLocal),
      ...brokenZone('endDateTime', endDateTime, isLocal),
      ...when(
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
          startDateTime && endDateTime && hasZone(startDateTime) !== hasZone(endDateTime),
          'endDateTime',
          'INVALID_COMBINATION',
          'must have a zone if startDateTime has one, and none otherwise',
        ],
        [
          start && end && start >= end,
          'endDateTime',
          'INVALID_COMBINATION',
          'must be later than startDateTime',
        ],
      ),
    ];
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
