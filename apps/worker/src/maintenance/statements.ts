/**
 * Adds up the deltas of counts that have more than $1. One statement: a reader's snapshot has either all the
 * deltas or their sum. It sums what it deleted itself, so that deltas appended meanwhile stay, and deltas that
 * somebody else added up meanwhile are not counted again. A bounded number of counts at a time: the lists that
 * end at the watermark wait for it.
 */
export const COMPACT_COUNTERS = /* sql */ `
  WITH crowded AS (
    SELECT organization_id, kind, subject_id FROM tallies
    GROUP BY organization_id, kind, subject_id HAVING count(*) > $1
    LIMIT 500
  ), gone AS (
    DELETE FROM tallies t USING crowded c
    WHERE t.organization_id = c.organization_id AND t.kind = c.kind AND t.subject_id = c.subject_id
    RETURNING t.organization_id, t.kind, t.subject_id, t.delta
  )
  INSERT INTO tallies (organization_id, kind, subject_id, delta)
  SELECT organization_id, kind, subject_id, sum(delta) FROM gone
  GROUP BY organization_id, kind, subject_id HAVING sum(delta) <> 0
`;

/** Windows last a minute. One that opens anew while this runs is seen as it then is, and stays. */
export const FORGET_RATE_WINDOWS = /* sql */ `
  DELETE FROM rate_windows WHERE window_start < clock_timestamp() - interval '2 minutes'
`;

export const FORGET_IDEMPOTENCY_KEYS = /* sql */ `
  DELETE FROM idempotency_keys WHERE created_at < clock_timestamp() - make_interval(mins => $1)
`;

/**
 * Deletes a dry run that ended more than $1 minutes ago, and returns how many it deleted. One at a time: it may have 10,000
 * rows, and the lists that end at the watermark wait for the transaction.
 */
export const FORGET_DRY_RUN = /* sql */ `
  WITH expired AS (
    SELECT organization_id, id FROM import_jobs
    WHERE dry_run AND finished_at < clock_timestamp() - make_interval(mins => $1)
    ORDER BY finished_at LIMIT 1 FOR UPDATE
  ), attempts AS (
    DELETE FROM import_attempts a USING expired e WHERE a.organization_id = e.organization_id AND a.job_id = e.id
  ), its_rows AS (
    DELETE FROM import_rows r USING expired e WHERE r.organization_id = e.organization_id AND r.job_id = e.id
  ), gone AS (
    DELETE FROM import_jobs j USING expired e WHERE j.organization_id = e.organization_id AND j.id = e.id RETURNING 1
  )
  SELECT count(*)::int AS deleted FROM gone
`;

/** Records of one transaction, so that none is long. */
export const AUDIT_BATCH = 1_000;

/** Deletes up to AUDIT_BATCH records older than $1 days. It returns how many it deleted. */
export const FORGET_AUDIT_LOG = /* sql */ `SELECT forget_audit_log($1, ${AUDIT_BATCH}) AS deleted`;
