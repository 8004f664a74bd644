import type { ChangeOfJob } from '#domain/bookings';
import type { ImportMode, ImportOutcome } from '#platform/import-rows';
import { Id, Int, Text, Value } from '#platform/validation';
import { type ImportError, ImportJobSummary, ImportRowResult } from './import-job.dto';

/** An import job, and who sent it. */
export class StaffImportJob extends ImportJobSummary {
  /**
   * The name of the API key, or the address of the member who sent it in the console. `console` for members who sent it before
   * addresses were kept; `null` if the key was deleted.
   */
  @Text({ example: 'website' }) sentBy: string | null;

  /**
   * `CREATE`; `UPSERT` or `UPDATE` if the import replaces or corrects existing records; `UNDO` if it cancels the records of another job; `CHANGE` if
   * several participants are changed: by staff, or by a bib plan.
   */
  @Value({ example: 'CREATE' }) mode: ImportMode;
}

/** How many rows of a job failed with a code. */
export class ImportFailureCount {
  /** Why they failed. */
  @Text({ example: 'TICKET_NOT_FOUND' }) code: string;

  /** How many rows failed so. */
  @Int({ example: 12 }) rows: number;
}

/** An import job as the console shows it. */
export class StaffImportJobDetail extends StaffImportJob {
  /** Whether rows whose id belonged to a cancelled booking are skipped. */
  skipsCancelled: boolean;

  /** The first 100 jobs that correct it, oldest first. */
  @Id() correctedBy: string[];

  /** Whether the content of its rows was removed, IMPORT_PAYLOAD_DAYS after its end. */
  payloadsRemoved: boolean;

  /** What happens to the participants of the job; `null` for imports. */
  change: ChangeOfJob | null;

  /** The reason, if the job `FAILED`. */
  @Text({ example: null }) failure: string | null;

  /** The newest job that undoes this one; `null` if there is none. */
  @Id({ example: null }) undoneBy: string | null;

  /** The codes of failed rows, the most frequent first. */
  failures: ImportFailureCount[];

  /** The codes of failed rows that no correction has imported or is processing, from their latest attempt; the most frequent first. */
  openFailures: ImportFailureCount[];
}

/** The newest correction of a failed row. */
export class ImportRowCorrection {
  @Id() jobId: string;

  /** The index of the row in that job. */
  @Int({ example: 0 }) row: number;

  /** `null` until it has an outcome. */
  outcome: ImportOutcome | null;

  /** Why it failed. */
  error?: ImportError;
}

/** A row of an import with its outcome and its content. */
export class StaffImportRow extends ImportRowResult {
  /**
   * The row as it was sent last, by its newest correction or by the job itself; `null` once its person was redacted, or the job was discarded, and for rows of more than 15,000
   * bytes.
   */
  @Value({ example: { externalCreditId: 'credit-7', email: 'ada@example.com' } })
  sent: Record<string, unknown> | null;
  correction: ImportRowCorrection | null;
}
