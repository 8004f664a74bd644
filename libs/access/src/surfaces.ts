/** What an organization may use only when it is enabled for it (decisions, section 2). */
export const SURFACES = [
  'addOnAllocations',
  'referrals',
  'discountCodes',
  'bookingsImport',
  'lineItemsImport',
  'addOnsImport',
  'creditsImport',
  'discountCodesImport',
  'referralsImport',
  'reservedEntriesImport',
] as const;

export type Surface = (typeof SURFACES)[number];
