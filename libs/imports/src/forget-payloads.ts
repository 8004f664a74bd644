/** Rows of one transaction, so that none is long. */
const BATCH = 1_000;

/**
 * Removes the payloads of up to BATCH rows of jobs that finished more than $1 days ago, the oldest first. Outcomes stay. It
 * returns whether there may be more. A retry locks the job as well: a job whose rows are emptied is not reopened.
 */
export const FORGET_IMPORT_PAYLOADS = /* sql */ `
  WITH old AS MATERIALIZED (
    SELECT organization_id, id, finished_at, emptied_rows, least(total_rows - emptied_rows, ${BATCH}) AS step
    FROM import_jobs
    WHERE finished_at < clock_timestamp() - make_interval(days => $1) AND emptied_rows < total_rows
    ORDER BY finished_at, id LIMIT 100
    FOR NO KEY UPDATE SKIP LOCKED
  ), jobs AS MATERIALIZED (
    SELECT * FROM (SELECT *, sum(step) OVER (ORDER BY finished_at, id) AS total FROM old) counted WHERE total <= ${BATCH}
  ), emptied AS (
    UPDATE import_rows r SET payload = '{}' FROM jobs j
    WHERE r.organization_id = j.organization_id AND r.job_id = j.id
      AND r.row_number >= j.emptied_rows AND r.row_number < j.emptied_rows + j.step AND r.payload <> '{}'
  ), moved AS (
    UPDATE import_jobs i SET emptied_rows = j.emptied_rows + j.step FROM jobs j
    WHERE i.organization_id = j.organization_id AND i.id = j.id
  )
  SELECT count(*) > 0 AS more FROM jobs
`;
