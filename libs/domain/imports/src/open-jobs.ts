import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';

export interface OpenJob {
  organizationId: string;
  jobId: string;
}

/**
 * Organizations with open import jobs, in the order of their ids.
 *
 * @param $1 the id to start after
 * @param $2 the most organizations
 */
export const ORGANIZATIONS_WITH_OPEN_JOBS = statement({
  parameters: ['uuid', 'int'],
  columns: { id: 'uuid' },
  sql: 'SELECT id FROM organizations_with_open_imports($1, $2) id',
});

const corrections = (job: string, row: string) => /* sql */ `SELECT FROM import_rows c
    WHERE c.organization_id = r.organization_id AND c.corrects_job_id = ${job} AND c.corrects_row = ${row}
      AND c.outcome IS DISTINCT FROM 'FAILED'`;

/**
 * The failed rows `r` of a job that a retry processes. Redacted rows are excluded, because their content is deleted, invalid rows, and rows
 * that have a correction; of a correction, rows that have another one, or whose first attempt is retried itself.
 */
const RETRIED = /* sql */ `r.outcome = 'FAILED' AND r.payload <> '{}' AND r.error_code <> 'INVALID_ROW'
    AND NOT EXISTS (${corrections('r.job_id', 'r.row_number')})
    AND (r.corrects_job_id IS NULL OR NOT EXISTS (${corrections('r.corrects_job_id', 'r.corrects_row')})
      AND EXISTS (SELECT FROM import_rows o WHERE o.organization_id = r.organization_id AND o.job_id = r.corrects_job_id
        AND o.row_number = r.corrects_row AND o.outcome = 'FAILED'))`;

const REOPEN_ROWS = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    UPDATE import_rows r SET outcome = NULL, error_code = NULL, error_message = NULL, error_path = NULL, result = NULL
    WHERE r.organization_id = $1 AND r.job_id = $2 AND ${RETRIED}
  `,
});

/** Its time of creation no longer tells how long it waits, so that is not announced. */
const REOPEN_JOB = statement({
  parameters: ['uuid', 'uuid', 'boolean'],
  sql: `
    UPDATE import_jobs SET waiting_since = clock_timestamp(), reopened_at = CASE WHEN $3 THEN clock_timestamp() ELSE reopened_at END,
      status = 'QUEUED', failure = NULL, finished_at = NULL, chunk_entries = NULL, chunk_conflicts = 0, failed_rows = (
      SELECT count(*) FROM import_rows WHERE organization_id = $1 AND job_id = $2 AND outcome = 'FAILED')
    WHERE organization_id = $1 AND id = $2
  `,
});

const DELETE_ATTEMPT = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'DELETE FROM import_attempts WHERE organization_id = $1 AND job_id = $2',
});

const LOCK_ENDED_JOB = statement({
  parameters: ['uuid', 'uuid'],
  columns: { undoesJobId: 'uuid?', isWhole: 'boolean' },
  sql: `
    SELECT undoes_job_id AS "undoesJobId", dry_run_job_id IS NULL OR EXISTS (SELECT FROM import_jobs first
      WHERE first.organization_id = j.organization_id AND first.id = j.dry_run_job_id) AS "isWhole" FROM import_jobs j
    WHERE organization_id = $1 AND id = $2 AND status IN ('COMPLETED', 'FAILED') AND emptied_rows = 0 FOR UPDATE
  `,
});

/** Locks the job that a correction corrects, as the start of another correction does. What it corrects never changes. */
const LOCK_CORRECTED_JOB = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    SELECT FROM import_jobs WHERE organization_id = $1
      AND id = (SELECT corrects_job_id FROM import_jobs WHERE organization_id = $1 AND id = $2) FOR NO KEY UPDATE
  `,
});

/** Locks the import that an undo job undoes, as the start of an undo does. */
const LOCK_UNDONE_JOB = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'SELECT FROM import_jobs WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
});

const HAS_ROWS_TO_PROCESS = statement({
  parameters: ['uuid', 'uuid'],
  columns: { found: 'boolean' },
  sql: `
    SELECT EXISTS (SELECT FROM import_rows r WHERE r.organization_id = $1 AND r.job_id = $2
      AND (r.outcome IS NULL AND r.payload <> '{}' OR ${RETRIED})) AS found
  `,
});

/** The unfinished job that undoes an import. */
export const OPEN_UNDO = statement({
  parameters: ['uuid', 'uuid'],
  columns: { id: 'uuid', includesChanged: 'boolean' },
  sql: `
    SELECT job.id, coalesce((SELECT (r.payload->>'evenIfChanged')::boolean FROM import_rows r
      WHERE r.organization_id = job.organization_id AND r.job_id = job.id ORDER BY r.row_number LIMIT 1), false)
      AS "includesChanged"
    FROM import_jobs job
    WHERE job.organization_id = $1 AND job.undoes_job_id = $2 AND job.status IN ('QUEUED', 'RUNNING') LIMIT 1
  `,
});

/**
 * `NOT_FINISHED`: or it does not exist, or has lost its payloads to IMPORT_PAYLOAD_DAYS. `NOTHING`: no row failed or was not
 * reached. `UNDO_OPEN`: a job that undoes the import is not finished. `CONTINUES_DELETED`: of a dry run in parts, the first was deleted,
 * with what its rows took.
 */
export type Reopening = 'REOPENED' | 'NOT_FINISHED' | 'NOTHING' | 'UNDO_OPEN' | 'CONTINUES_DELETED';

/** For people. */
export const UNDO_OPEN =
  'The import is being undone. Wait until the job that undoes it is finished, or cancel that job.';

/** Why a job can't be retried, for people. */
export const RETRY_REFUSALS: Partial<Record<Reopening, string>> = {
  UNDO_OPEN,
  CONTINUES_DELETED: 'The dry run continues one that has been deleted. Send the whole file again.',
};

/**
 * Queues a finished job again, for its failed rows and the rows that it did not reach.
 *
 * @param byPartner whether the partner that sent it asks: deadlines count from now
 */
export async function reopenJob(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
  byPartner = false,
): Promise<Reopening> {
  await LOCK_CORRECTED_JOB.run(manager, [organizationId, jobId]);
  const job = await LOCK_ENDED_JOB.first(manager, [organizationId, jobId]);
  if (!job) return 'NOT_FINISHED';
  const { undoesJobId, isWhole } = job;
  if (!isWhole) return 'CONTINUES_DELETED';
  if (undoesJobId) await LOCK_UNDONE_JOB.run(manager, [organizationId, undoesJobId]);
  if (await OPEN_UNDO.first(manager, [organizationId, undoesJobId ?? jobId])) return 'UNDO_OPEN';
  const { found } = await HAS_ROWS_TO_PROCESS.one(manager, [organizationId, jobId]);
  if (!found) return 'NOTHING';
  // Resets the crashes, because their cause may have been fixed.
  await DELETE_ATTEMPT.run(manager, [organizationId, jobId]);
  await REOPEN_ROWS.run(manager, [organizationId, jobId]);
  await REOPEN_JOB.run(manager, [organizationId, jobId, byPartner]);
  return 'REOPENED';
}

const CANCEL = statement({
  parameters: ['uuid', 'uuid', 'text'],
  sql: `
    UPDATE import_jobs SET status = 'FAILED', failure = $3, finished_at = clock_timestamp()
    WHERE organization_id = $1 AND id = $2 AND status IN ('QUEUED', 'RUNNING')
  `,
});

const DISCARD_PAYLOADS = statement({
  parameters: ['uuid', 'uuid', 'bigint'],
  sql: `
    UPDATE import_rows SET payload = '{}'
    WHERE organization_id = $1 AND job_id = $2 AND payload <> '{}' AND row_number = ANY (ARRAY(
      SELECT row_number FROM import_rows WHERE organization_id = $1 AND job_id = $2 AND payload <> '{}' LIMIT $3))
  `,
});

export const CANCELLED = 'The import was cancelled. Rows without an outcome were not written.';
export const DISCARDED = 'The import was discarded. Rows without an outcome were not written.';

/**
 * Cancels a job. Waits for the current transaction, whose rows stay; the rows not reached are not written.
 *
 * @returns false if the job is already finished
 */
export async function cancelJob(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
  reason = CANCELLED,
): Promise<boolean> {
  return (await CANCEL.run(manager, [organizationId, jobId, reason])) > 0;
}

/**
 * Deletes the content of a limited number of the job's rows. Their outcomes stay; they can't be retried.
 *
 * @returns how many rows had content
 */
export async function discardPayloads(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
  most: number,
): Promise<number> {
  return DISCARD_PAYLOADS.run(manager, [organizationId, jobId, most]);
}
