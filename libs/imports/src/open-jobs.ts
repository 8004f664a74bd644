import type { EntityManager } from 'typeorm';

export interface OpenJob {
  organizationId: string;
  jobId: string;
}

/** Jobs with work left that nobody has touched for a while: the queue lost them, or their worker died. */
const FORGOTTEN = /* sql */ `
  SELECT organization_id AS "organizationId", id AS "jobId" FROM import_jobs
  WHERE status IN ('QUEUED', 'RUNNING') AND updated_at < clock_timestamp() - make_interval(secs => $1 / 1000.0)
  ORDER BY created_at LIMIT 100
`;

const REOPEN_ROWS = /* sql */ `
  UPDATE import_rows SET outcome = NULL, error_code = NULL, error_message = NULL, result = NULL
  WHERE organization_id = $1 AND job_id = $2 AND outcome = 'FAILED'
`;

const REOPEN_JOB = /* sql */ `
  UPDATE import_jobs SET status = 'QUEUED', failed_rows = 0, failure = NULL, finished_at = NULL
  WHERE organization_id = $1 AND id = $2
`;

/** @param idleMs how long nobody has written to it */
export const forgottenJobs = (manager: EntityManager, idleMs: number): Promise<OpenJob[]> =>
  manager.query(FORGOTTEN, [idleMs]);

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
