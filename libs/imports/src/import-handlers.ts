import { importAddOns, importBookings, importLineItems } from '#libs/bookings';
import { importCredits } from '#libs/credits';
import { importDiscountCodes } from '#libs/discounts';
import type { ImportHandler } from '#libs/import-rows';
import { importReferrals } from '#libs/referrals';
import { importReservedEntries } from '#libs/reserved-entries';
import type { ImportRows, ImportSurface } from './surfaces';

export const IMPORT_HANDLERS: { [S in ImportSurface]: ImportHandler<ImportRows[S]> } = {
  bookingsImport: importBookings,
  lineItemsImport: importLineItems,
  addOnsImport: importAddOns,
  creditsImport: importCredits,
  discountCodesImport: importDiscountCodes,
  referralsImport: importReferrals,
  reservedEntriesImport: importReservedEntries,
};
