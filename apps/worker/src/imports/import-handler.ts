import type { EntityManager } from 'typeorm';
import type { ImportMode, ImportRows, ImportSurface } from '#libs/imports';
import type { ImportRow, RowOutcome } from './outcomes';

/** What a handler works in: one transaction, one organization, one job. */
export interface ImportContext {
  manager: EntityManager;
  organizationId: string;
  jobId: string;
  mode: ImportMode;
  /** The name of the API key that brought the job; null for jobs of earlier releases. */
  source: string | null;
  /** What is to be done once the chunk has committed: race-day messages waited for who it brought. */
  after: { enqueuesRaceDay: boolean };
}

/**
 * Imports the rows of one chunk, set by set, and says what became of each. All of it is one transaction: it may
 * throw, and is run again then with the same rows or fewer.
 */
export type ImportHandler<S extends ImportSurface> = (
  context: ImportContext,
  rows: ImportRow<ImportRows[S]>[],
) => Promise<RowOutcome[]>;

/** One for every surface: the compiler misses none. */
export type ImportHandlers = { [S in ImportSurface]: ImportHandler<S> };
