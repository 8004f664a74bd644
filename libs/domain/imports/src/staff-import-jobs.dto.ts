import { ImportJobSummary, ImportRowResult } from './import-job.dto';

/** An import job, and who sent it. */
export class StaffImportJob extends ImportJobSummary {
  /**
   * The name of the API key that sent it, or `console`; `null` if the key was deleted.
   * @example website
   */
  sentBy: string | null;
}

/** How many rows of a job failed with a code. */
export class ImportFailureCount {
  /**
   * Why they failed.
   * @example TICKET_NOT_FOUND
   */
  code: string;

  /**
   * How many rows failed so.
   * @integer
   * @example 12
   */
  rows: number;
}

/** An import job as the console shows it. */
export class StaffImportJobDetail extends StaffImportJob {
  /**
   * `CREATE`; `UPSERT` or `UPDATE` if the import replaces or corrects existing records; `UNDO` if it cancels the bookings of another job.
   * @example CREATE
   */
  mode: string;

  /**
   * The reason, if the job `FAILED`.
   * @example null
   */
  failure: string | null;

  /**
   * The newest job that undoes this one; `null` if there is none.
   * @format uuid
   * @example null
   */
  undoneBy: string | null;

  /** The codes of failed rows, the most frequent first. */
  failures: ImportFailureCount[];
}

/** A row of an import with its outcome and its content. */
export class StaffImportRow extends ImportRowResult {
  /**
   * The row as it was sent; `null` once its person was redacted, or the job was discarded, and for rows of more than 15,000
   * bytes.
   * @example {"externalCreditId":"credit-7","email":"ada@example.com"}
   */
  sent: Record<string, unknown> | null;
}
