/** Features that an organization has to be enabled for. */
export const FEATURE_SURFACES = ['addOnAllocations', 'referrals', 'discountCodes'] as const;

/** What an organization may use only when it is enabled for it: features, and imports, which their domains define. */
export type Surface = (typeof FEATURE_SURFACES)[number] | `${string}Import`;
