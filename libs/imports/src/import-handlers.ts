import type { ImportRows, ImportSurface } from './surfaces';
import { importAddOns } from '#libs/bookings';
import { importBookings } from '#libs/bookings';
import { importCredits } from '#libs/credits';
import { importDiscountCodes } from '#libs/discounts';
import type { ImportHandler } from '#libs/import-rows';
import { importLineItems } from '#libs/bookings';
import { importReferrals } from '#libs/referrals';
import { importReservedEntries } from '#libs/reserved-entries';

export const IMPORT_HANDLERS: { [S in ImportSurface]: ImportHandler<ImportRows[S]> } = {
  bookingsImport: importBookings,
  lineItemsImport: importLineItems,
  addOnsImport: importAddOns,
  creditsImport: importCredits,
  discountCodesImport: importDiscountCodes,
  referralsImport: importReferrals,
  reservedEntriesImport: importReservedEntries,
};
