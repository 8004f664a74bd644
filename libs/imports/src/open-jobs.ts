import type { EntityManager } from 'typeorm';

export interface OpenJob {
  organizationId: string;
  jobId: string;
}

const OPEN = "status IN ('QUEUED', 'RUNNING')";

/** From one organization to the next by index: one with many jobs costs no more than one with a single job. */
const WITH_OPEN_JOBS = /* sql */ `
  WITH RECURSIVE organizations AS (
    (SELECT organization_id AS id FROM import_jobs
      WHERE ${OPEN} AND organization_id > $1 ORDER BY organization_id LIMIT 1)
    UNION ALL
    SELECT next.id FROM organizations o CROSS JOIN LATERAL (
      SELECT organization_id AS id FROM import_jobs
      WHERE ${OPEN} AND organization_id > o.id ORDER BY organization_id LIMIT 1) next
  )
  SELECT id FROM organizations LIMIT $2
`;

/** A row whose person was redacted has nothing left to try. */
const REOPEN_ROWS = /* sql */ `
  UPDATE import_rows SET outcome = NULL, error_code = NULL, error_message = NULL, result = NULL
  WHERE organization_id = $1 AND job_id = $2 AND outcome = 'FAILED' AND payload <> '{}'
`;

const REOPEN_JOB = /* sql */ `
  UPDATE import_jobs SET status = 'QUEUED', failure = NULL, finished_at = NULL, failed_rows = (
    SELECT count(*) FROM import_rows WHERE organization_id = $1 AND job_id = $2 AND outcome = 'FAILED')
  WHERE organization_id = $1 AND id = $2
`;

/**
 * Organizations with open import jobs, in the order of their ids.
 *
 * @param after the last one of the call before
 * @param most how many
 */
export async function organizationsWithOpenJobs(
  manager: EntityManager,
  { after, most }: { after: string; most: number },
): Promise<string[]> {
  const found: { id: string }[] = await manager.query(WITH_OPEN_JOBS, [after, most]);
  return found.map(({ id }) => id);
}

/**
 * Gives a finished job's failed rows, and those that it never reached, another try.
 *
 * @returns false where the job is still at work or its rows have lost their payloads to IMPORT_PAYLOAD_DAYS
 */
export async function reopenJob(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
): Promise<boolean> {
  const [job] = await manager.query(
    `SELECT status FROM import_jobs WHERE organization_id = $1 AND id = $2 AND status IN ('COMPLETED', 'FAILED')
       AND emptied_rows = 0 FOR UPDATE`,
    [organizationId, jobId],
  );
  if (!job) return false;
  // It gets a new chance: what ended its worker may have been mended.
  await manager.query('DELETE FROM import_attempts WHERE organization_id = $1 AND job_id = $2', [
    organizationId,
    jobId,
  ]);
  await manager.query(REOPEN_ROWS, [organizationId, jobId]);
  await manager.query(REOPEN_JOB, [organizationId, jobId]);
  return true;
}

const CANCEL = /* sql */ `
  UPDATE import_jobs SET status = 'FAILED', failure = $3, finished_at = clock_timestamp()
  WHERE organization_id = $1 AND id = $2 AND status IN ('QUEUED', 'RUNNING') RETURNING id
`;

const DISCARD_PAYLOADS = /* sql */ `
  UPDATE import_rows SET payload = '{}'
  WHERE organization_id = $1 AND job_id = $2 AND payload <> '{}' AND row_number = ANY (ARRAY(
    SELECT row_number FROM import_rows WHERE organization_id = $1 AND job_id = $2 AND payload <> '{}' LIMIT $3))
`;

export const CANCELLED = 'The import was cancelled. The rows that have no outcome were not written.';
export const DISCARDED = 'The import was discarded. The rows that have no outcome were not written.';

/**
 * Ends a job. It waits for the transaction under way, whose rows stay; the rows not reached stay unwritten.
 *
 * @returns false where the job is over already
 */
export async function cancelJob(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
  reason = CANCELLED,
): Promise<boolean> {
  const [cancelled] = await manager.query(CANCEL, [organizationId, jobId, reason]);
  return cancelled.length > 0;
}

/**
 * Removes what a bounded number of the job's rows hold. Their outcomes stay, and they can't be tried again.
 *
 * @returns how many had something left
 */
export async function discardPayloads(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
  most: number,
): Promise<number> {
  const [, discarded] = await manager.query(DISCARD_PAYLOADS, [organizationId, jobId, most]);
  return discarded;
}
