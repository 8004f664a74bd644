/** The operations that `endpoints` of a key may contain. */
export const SCOPED_ENDPOINTS = ['registrationStatus'] as const;
