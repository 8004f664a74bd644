import { addOnsImport, bookingsImport, lineItemsImport } from '#domain/bookings/import-definitions';
import { creditsImport } from '#domain/credits/import-definitions';
import { discountCodesImport } from '#domain/discounts/import-definitions';
import { referralsImport } from '#domain/referrals/import-definitions';
import { reservedEntriesImport } from '#domain/reserved-entries/import-definitions';
import type { ImportDefinition } from '#platform/import-rows';

/** All imports. The checking thread loads them without the rest of their domains. */
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
