import type { EntityManager } from 'typeorm';
import type { Carried } from './carried';
import type { ImportMode } from './import-mode';
import type { ImportRow, RowOutcome } from './outcomes';

/** The context of a handler: a transaction, an organization and a job. */
export interface ImportContext {
  manager: EntityManager;
  organizationId: string;
  /** `null` for rows of a file of the command line. */
  jobId: string | null;
  mode: ImportMode;
  /** A row whose id belonged to a cancelled booking is skipped as `CANCELLED_BEFORE`. */
  skipCancelled: boolean;
  /** When the request was accepted, as ISO 8601 with microseconds; the current time without a request. */
  requestedAt?: string;
  /** The same, or when the partner that sent the rows last asked to retry them: until when it may. */
  permittedAt?: string;
  /** The name of the API key, or of the member whose session sent the rows; `null` for rows of a file of the command line. */
  source: string | null;
  /** The partner whose key sent the rows. */
  partnerId: string | null;
  /** In a dry run: what earlier chunks took. */
  carried?: Carried;
  /** Registers work for after the commit, for example for race-day messages that wait for participants of this chunk. */
  after: { enqueuesRaceDay: boolean };
}

/**
 * Imports the rows of a chunk in a transaction, with set-based statements, and returns the outcome of each row. If it
 * throws, it runs again with the same rows or fewer.
 */
export type ImportHandler<Row> = (context: ImportContext, rows: ImportRow<Row>[]) => Promise<RowOutcome[]>;
