/** The outcome of a row. */
export type ImportOutcome =
  | 'IMPORTED'
  | 'UPDATED'
  | 'UNCHANGED'
  | 'ALREADY_IMPORTED'
  | 'CANCELLED_BEFORE'
  | 'CANCELLED'
  | 'FAILED';
