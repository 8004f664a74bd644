/** The outcome of a row. */
export type ImportOutcome = 'IMPORTED' | 'UPDATED' | 'ALREADY_IMPORTED' | 'FAILED';
