/** The outcome of a row. */
export type ImportOutcome = 'IMPORTED' | 'UPDATED' | 'ALREADY_IMPORTED' | 'CANCELLED_BEFORE' | 'FAILED';
