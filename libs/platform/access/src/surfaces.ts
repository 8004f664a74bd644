/** Features that an organization has to be enabled for. */
export const FEATURE_SURFACES = ['addOnAllocations', 'referrals', 'discountCodes', 'catalogueWrite'] as const;

/** All surfaces: features, and the imports that domains define. */
export type Surface = (typeof FEATURE_SURFACES)[number] | `${string}Import`;
