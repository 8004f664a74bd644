import { type IMPORT_STATUSES } from '#platform/database';
import type { ImportOutcome } from '#platform/import-rows';
import { DateTime, Id, Int, Text, Value } from '#platform/validation';
/** The status of an import job. */
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** What an unfinished import job waits for. */
export type ImportWait = 'worker' | 'turn' | 'otherImport' | 'takeover' | 'separateProcess';

/** An accepted import. Its rows are stored and will be processed. */
export class AcceptedImport {
  @Id() jobId: string;

  /** The surface of the import. */
  @Text({ example: 'bookingsImport' }) surface: string;

  /** What its sender called it, such as the name of a file. */
  @Text({ example: 'start-list.csv' }) name: string | null;

  /** Of a correction: the job whose failed rows it replaces. Corrections of corrections belong to the first job. */
  @Id({ example: null }) corrects: string | null;

  /** Every row gets the outcome that it would have now, and nothing is written. Kept for a day. */
  dryRun: boolean;
  /** `QUEUED`; of a repeated request, the job's status now. */
  status: ImportStatus;

  /** The rows of the request. */
  @Int({ example: 250 }) totalRows: number;
  @DateTime() createdAt: string;

  /** The path of the job, which shows its progress and outcome. */
  @Text({ example: '/v0/bookings/import/01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b' }) jobUrl: string;
}

/** An import job without its rows. Counts change while the job runs. */
export class ImportJobSummary {
  @Id() jobId: string;

  /** The surface of the import. */
  @Text({ example: 'bookingsImport' }) surface: string;

  /** What its sender called it, such as the name of a file. */
  @Text({ example: 'start-list.csv' }) name: string | null;

  /** Every row gets the outcome that it would have now, and nothing is written. Kept for a day. */
  dryRun: boolean;

  /** Of a job that undoes an import: the import whose bookings it cancels. `null` for imports. */
  @Id({ example: null }) undoes: string | null;

  /** Of a correction: the job whose failed rows it replaces. Corrections of corrections belong to the first job. */
  @Id({ example: null }) corrects: string | null;

  /** Of a job that imports a dry run: the dry run, which is deleted a day after its end. */
  @Id({ example: null }) importsDryRun: string | null;

  /** Of a dry run: the job that imports it. */
  @Id({ example: null }) importedBy: string | null;

  /** `COMPLETED`: every row has an outcome. `FAILED`: the job stopped; some rows may have no outcome. */
  status: ImportStatus;

  /**
   * What the job waits for; `null` while it is processed, and when it is finished.
   *
   * - `worker`: no worker process for imports is running. The rows are stored, and are imported when one starts.
   * - `turn`: other imports, of your organization or of others, are processed first.
   * - `otherImport`: another import writes to the bibs of the same race, the same discount code or the same reserved entry
   *  group, and this one continues after its transaction.
   * - `takeover`: the process that had the job ended, or lost its connection. Another process takes it over within seconds.
   * - `separateProcess`: a process ended while it had the job. The job continues in a process of its own when one is available.
   */
  @Value({ example: null }) waitingFor: ImportWait | null;

  /** The rows of the request. */
  @Int({ example: 250 }) totalRows: number;

  /** Rows that have an outcome. */
  @Int({ example: 250 }) processedRows: number;

  /** Rows that were imported or updated, or whose booking was cancelled by an undo. */
  @Int({ example: 240 }) succeededRows: number;

  /** Rows whose external id already existed. They changed nothing. */
  @Int({ example: 8 }) alreadyImportedRows: number;

  /** Rows that were skipped because their id belonged to a cancelled booking, as requested with `cancelled=skip`. */
  @Int({ example: 0 }) cancelledBeforeRows: number;

  /** Rows that failed. */
  @Int({ example: 2 }) failedRows: number;

  /** Imported rows with warnings. `warned=true` lists them. */
  @Int({ example: 0 }) warnedRows: number;

  /** Jobs that correct failed rows of this one, without dry runs of corrections. */
  @Int({ example: 1 }) corrections: number;

  /** Failed rows that corrections have imported. 0 for corrections: their rows count in the first job. */
  @Int({ example: 2 }) correctedRows: number;

  /**
   * Failed rows that no correction has imported. With corrections, `totalRows - openRows` rows are imported. 0 for corrections:
   * their rows count in the first job.
   */
  @Int({ example: 0 }) openRows: number;

  /** Rows whose records were cancelled by jobs that undo this one. */
  @Int({ example: 0 }) undoneRows: number;
  @DateTime() createdAt: string;
  @DateTime() startedAt: string | null;
  @DateTime() finishedAt: string | null;
}

/** Why a row failed. */
export class ImportError {
  /** Its index in the request, from 0. */
  @Int({ example: 17 }) row: number;

  /** The property of the row; absent if the error is not about one. */
  @Text({ example: 'participants[0].ticketId' }) path?: string;

  /** A code for programs. A row with `INTERNAL` or `NO_CAPACITY_REMAINING` may succeed on a retry. */
  @Text({ example: 'TICKET_NOT_FOUND' }) code: string;

  /** A description for people. */
  @Text({ example: 'participants[0].ticketId is not a ticket of the event occurrence' }) message: string;

  /** Your id of the row. */
  @Text({ example: 'order-1815' }) externalId?: string;
}

/** What may be a mistake in a row that was imported nevertheless. */
export class ImportWarning {
  /** The property of the row; absent if the warning is not about one. */
  @Text({ example: 'amount.value' }) path?: string;

  /** A code for programs. */
  @Text({ example: 'REFUND_EXCEEDS_PAID' }) code: string;

  /** A description for people. */
  @Text({ example: 'The refunds of the booking exceed what was paid by 5.00 GBP. Check the amount.' })
  message: string;

  /** Of `DUPLICATE_PARTICIPANT`: the participants of the same person, the earliest first. */
  @Id({ example: [] }) duplicateOf?: string[];
}

/** The outcome of a row, with the ids that its surface reports. */
export class ImportRowResult {
  /** Its index in the request, from 0. */
  @Int({ example: 0 }) row: number;

  /** `null` until the row has an outcome. */
  outcome: ImportOutcome | null;

  /** Whether the external id already existed. Nothing was changed, and the ids are those of the existing record. */
  alreadyImported: boolean;
  @Text({ example: 'order-1815' }) externalBookingId?: string;
  @Id() bookingId?: string;
  @Id() participantIds?: string[];
  @Text({ example: 'order-1815-fee' }) externalLineItemId?: string;
  @Id() lineItemId?: string | null;
  @Text({ example: 'order-1815-shirt' }) externalAllocationId?: string;
  @Id() allocationId?: string;
  @Text({ example: 'credit-7' }) externalCreditId?: string;
  @Id() creditId?: string;

  /** The discount code. */
  @Text({ example: 'EARLY10' }) code?: string;
  @Id() discountCodeId?: string;

  /** The first of `referralIds`. */
  @Id() referralId?: string;

  /** One id for each entry of the referred booking, in the order of the entries. */
  @Id() referralIds?: string[];
  @Text({ example: 'hospice-12' }) externalAssignmentId?: string;
  @Id() participantId?: string;

  /**
   * Paths where the row differs from the existing booking, for `ALREADY_IMPORTED` and `UPDATED`. For a row that could
   * not be corrected, the path that prevents it.
   */
  @Text({ example: ['booker.lastName', 'participants[0].waveId'] }) differs?: string[];

  /** What to check in the imported row; absent if there is nothing. */
  warnings?: ImportWarning[];

  /** Why the row failed or was not reached. */
  error?: ImportError;
}

/** An import job with its errors and, when it is finished, its results. */
export class ImportJob extends ImportJobSummary {
  /** The first 100 jobs that correct it, oldest first. `GET /v0/import-jobs?corrects=<jobId>` lists all. */
  @Id() correctedBy: string[];

  /** Whether the content of its rows was removed, IMPORT_PAYLOAD_DAYS after its end. Its failed rows can be corrected, but not retried. */
  payloadsRemoved: boolean;

  /** The first 1,000 errors, in row order. */
  errors: ImportError[];

  /** One result for each row, in row order; `null` until the job is finished, and for jobs with more than 1,000 rows. */
  results: ImportRowResult[] | null;

  /** The path of the list of all rows. */
  @Text({ example: '/v0/import-jobs/01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b/rows' }) rowsUrl: string;

  /** Why the job `FAILED`. */
  @Text({ example: null }) failure: string | null;
}
