import type { ImportDefinition } from '#platform/import-rows';
import { addOnsImport } from '../../bookings/src/add-ons.import';
import { bookingsImport } from '../../bookings/src/bookings.import';
import { lineItemsImport } from '../../bookings/src/line-items.import';
import { creditsImport } from '../../credits/src/credits.import';
import { discountCodesImport } from '../../discounts/src/discount-codes.import';
import { referralsImport } from '../../referrals/src/referrals.import';
import { reservedEntriesImport } from '../../reserved-entries/src/reserved-entries.import';

/** All imports. Each file is imported by its path, so that the checking thread does not load domains. */
export const IMPORT_DEFINITIONS = [
  bookingsImport,
  lineItemsImport,
  addOnsImport,
  creditsImport,
  discountCodesImport,
  referralsImport,
  reservedEntriesImport,
] as const;

export type ImportSurface = (typeof IMPORT_DEFINITIONS)[number]['surface'];

/** By surface. Rows match the schema of the surface before its functions are called. */
export const IMPORTS = Object.fromEntries(
  IMPORT_DEFINITIONS.map((definition) => [definition.surface, definition]),
) as unknown as Readonly<Record<ImportSurface, ImportDefinition<ImportSurface, unknown>>>;
