import { type ImportKind, withAmounts } from '../../../sheets/src';
import { IMPORT_SHAPES } from '../import-shapes';
import { IMPORT_TABLE } from '../import-table';

type ImportPath = keyof typeof IMPORT_TABLE;

/** The fields that identify a row of each import; case is ignored for codes. */
const IDENTITIES: Record<ImportPath, string[]> = {
  '/v0/bookings/import': ['externalBookingId'],
  '/v0/bookings/line-items/import': ['externalLineItemId'],
  '/v0/add-ons/import': ['externalAllocationId'],
  '/v0/credits/import': ['externalCreditId'],
  '/v0/discount-codes/import': ['code'],
  '/v0/referrals/import': [
    'referralProgramId',
    'generatedReferralCode',
    'referredBookingId',
    'referredExternalBookingId',
  ],
  '/v0/reserved-entries/participants/import': ['externalAssignmentId'],
};

/** An import as tables fill it, with amounts in whole units. */
export const kindOfImport = (path: ImportPath): ImportKind => ({
  collection: IMPORT_TABLE[path].collection,
  fields: withAmounts(IMPORT_SHAPES[path]?.fields ?? []),
  identity: IDENTITIES[path],
});
