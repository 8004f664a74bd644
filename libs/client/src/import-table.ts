// Written by `npm run openapi`, from the definitions of imports.
export const IMPORT_TABLE = {
  '/v0/bookings/import': { surface: 'bookingsImport', collection: 'bookings' },
  '/v0/bookings/line-items/import': { surface: 'lineItemsImport', collection: 'lineItems' },
  '/v0/add-ons/import': { surface: 'addOnsImport', collection: 'addOns' },
  '/v0/credits/import': { surface: 'creditsImport', collection: 'credits' },
  '/v0/discount-codes/import': { surface: 'discountCodesImport', collection: 'discountCodes' },
  '/v0/referrals/import': { surface: 'referralsImport', collection: 'referrals' },
  '/v0/reserved-entries/participants/import': { surface: 'reservedEntriesImport', collection: 'assignments' },
} as const;
