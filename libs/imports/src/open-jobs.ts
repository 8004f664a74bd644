import type { EntityManager } from 'typeorm';

export interface OpenJob {
  organizationId: string;
  jobId: string;
}

/**
 * Jobs with work left that nobody has touched for a while: the queue lost them, or their worker died. Whoever works
 * on one holds its row. Claiming them moves updated_at: of many sweepers one gets a job, and then nobody for a while.
 */
const CLAIM_FORGOTTEN = /* sql */ `
  UPDATE import_jobs j SET updated_at = clock_timestamp()
  FROM (
    SELECT organization_id, id FROM import_jobs
    WHERE status IN ('QUEUED', 'RUNNING') AND updated_at < clock_timestamp() - make_interval(secs => $1 / 1000.0)
    ORDER BY created_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  ) forgotten
  WHERE j.organization_id = forgotten.organization_id AND j.id = forgotten.id
  RETURNING j.organization_id AS "organizationId", j.id AS "jobId"
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
 * Enqueue each of them. A job whose worker is alive, however slow, is not among them.
 *
 * @param idleMs how long nobody has written to it
 * @param most how many, the oldest first
 */
export async function forgottenJobs(
  manager: EntityManager,
  { idleMs, most }: { idleMs: number; most: number },
): Promise<OpenJob[]> {
  const [jobs]: [OpenJob[], number] = await manager.query(CLAIM_FORGOTTEN, [idleMs, most]);
  return jobs;
}

/**
 * Gives a finished job's failed rows, and those that it never reached, another try.
 *
 * @returns false where the job is still at work, or there is none
 */
export async function reopenJob(
  manager: EntityManager,
  { organizationId, jobId }: OpenJob,
): Promise<boolean> {
  const [job] = await manager.query(
    `SELECT status FROM import_jobs WHERE organization_id = $1 AND id = $2 AND status IN ('COMPLETED', 'FAILED') FOR UPDATE`,
    [organizationId, jobId],
  );
  if (!job) return false;
  await manager.query(REOPEN_ROWS, [organizationId, jobId]);
  await manager.query(REOPEN_JOB, [organizationId, jobId]);
  return true;
}
