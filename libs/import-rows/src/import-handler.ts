import type { EntityManager } from 'typeorm';
import type { ImportMode } from './import-mode';
import type { ImportRow, RowOutcome } from './outcomes';

/** What a handler works with: one transaction, one organization, one job. */
export interface ImportContext {
  manager: EntityManager;
  organizationId: string;
  jobId: string;
  mode: ImportMode;
  /** A row whose id belonged to a cancelled booking is left out, as `CANCELLED_BEFORE`. */
  skipCancelled: boolean;
  /** The name of the API key that brought the job; null for jobs of earlier releases. */
  source: string | null;
  /** What to do after the commit: race-day messages may have waited for participants of this chunk. */
  after: { enqueuesRaceDay: boolean };
}

/**
 * Imports the rows of one chunk, set by set, and returns the outcome of each. It runs in one transaction. It may throw,
 * and then runs again with the same rows or fewer.
 */
export type ImportHandler<Row> = (context: ImportContext, rows: ImportRow<Row>[]) => Promise<RowOutcome[]>;
