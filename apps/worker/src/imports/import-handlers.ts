import type { ImportRows, ImportSurface } from '#libs/imports';
import { importAddOns } from './add-ons';
import { importBookings } from './bookings';
import { importCredits } from './credits';
import { importDiscountCodes } from './discount-codes';
import type { ImportHandler } from './import-handler';
import { importLineItems } from './line-items';
import { importReferrals } from './referrals';
import { importReservedEntries } from './reserved-entries';

export const IMPORT_HANDLERS: { [S in ImportSurface]: ImportHandler<ImportRows[S]> } = {
  bookingsImport: importBookings,
  lineItemsImport: importLineItems,
  addOnsImport: importAddOns,
  creditsImport: importCredits,
  discountCodesImport: importDiscountCodes,
  referralsImport: importReferrals,
  reservedEntriesImport: importReservedEntries,
};
