import { statement } from '#platform/database';

/**
 * Removes the payloads of up to $3 rows of an organization's jobs that finished more than $2 seconds ago, the oldest jobs
 * first: a part of a large one, or several small ones. Outcomes stay. Returns the number of processed rows. A retry locks
 * the job as well, so a job without payloads is not reopened.
 */
export const FORGET_IMPORT_PAYLOADS = statement({
  parameters: ['uuid', 'float8', 'int'],
  columns: { deleted: 'int' },
  sql: `
    WITH old AS MATERIALIZED (
      SELECT id, finished_at, emptied_rows, least(total_rows - emptied_rows, $3::int) AS step FROM import_jobs
      WHERE organization_id = $1 AND finished_at < statement_timestamp() - make_interval(secs => $2)
        AND emptied_rows < total_rows
      ORDER BY finished_at, id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED
    ), jobs AS MATERIALIZED (
      SELECT * FROM (SELECT *, sum(step) OVER (ORDER BY finished_at, id) AS total FROM old) counted WHERE total <= $3
    ), emptied AS (
      UPDATE import_rows r SET payload = '{}' FROM jobs j
      WHERE r.organization_id = $1 AND r.job_id = j.id
        AND r.row_number >= j.emptied_rows AND r.row_number < j.emptied_rows + j.step AND r.payload <> '{}'
    ), moved AS (
      UPDATE import_jobs i SET emptied_rows = j.emptied_rows + j.step FROM jobs j
      WHERE i.organization_id = $1 AND i.id = j.id
    )
    -- Where a next job did not fit in, there may be more.
    SELECT CASE WHEN (SELECT count(*) FROM jobs) < (SELECT count(*) FROM old) THEN $3
      ELSE coalesce((SELECT sum(step) FROM jobs), 0) END::int AS deleted
  `,
});

/**
 * Deletes up to $3 dry runs of an organization that ended more than $2 seconds ago, with their rows. The corrections of a dry run go
 * before it.
 */
export const FORGET_DRY_RUNS = statement({
  parameters: ['uuid', 'float8', 'int'],
  columns: { deleted: 'int' },
  sql: `
    WITH expired AS (
      SELECT id FROM import_jobs j
      WHERE organization_id = $1 AND dry_run AND finished_at < statement_timestamp() - make_interval(secs => $2)
        AND NOT EXISTS (SELECT FROM import_jobs c WHERE c.organization_id = $1 AND c.corrects_job_id = j.id)
      ORDER BY finished_at LIMIT $3::int FOR UPDATE
    ), attempts AS (
      DELETE FROM import_attempts a USING expired e WHERE a.organization_id = $1 AND a.job_id = e.id
    ), carried AS (
      DELETE FROM dry_run_takings t USING expired e WHERE t.organization_id = $1 AND t.job_id = e.id
    ), its_rows AS (
      DELETE FROM import_rows r USING expired e WHERE r.organization_id = $1 AND r.job_id = e.id
    ), gone AS (
      DELETE FROM import_jobs j USING expired e WHERE j.organization_id = $1 AND j.id = e.id RETURNING 1
    )
    SELECT count(*)::int AS deleted FROM gone
  `,
});
