import type { IMPORT_OUTCOMES } from '#platform/database';

/** The outcome of a row. */
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];
