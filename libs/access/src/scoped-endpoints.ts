/** The operations that a key's `endpoints` may name: those that open themselves to scoped keys. */
export const SCOPED_ENDPOINTS = ['registrationStatus'] as const;
