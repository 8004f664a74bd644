const SHARED = { group: 'Webhooks', keys: ['ORGANIZER'] } as const;

export const WIDE = { ...SHARED, rate: 'wide' } as const;

/** For operations that send something or generate a secret. */
export const TIGHT = { ...SHARED, rate: 'webhook' } as const;
