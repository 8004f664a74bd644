/**
 * Compacts counters with more than $1 deltas. A single statement, so that a reader's snapshot has either the deltas or
 * their sum. It sums the deltas that it deletes, so that concurrent appends stay and concurrent compactions are not counted
 * twice. A limited number of counters at a time, because lists by `updatedAt` wait for it.
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

/** Windows last a minute. A window that starts again during the statement is kept. */
export const FORGET_RATE_WINDOWS = /* sql */ `
  DELETE FROM rate_windows WHERE window_start < clock_timestamp() - interval '2 minutes'
`;

export const FORGET_IDEMPOTENCY_KEYS = /* sql */ `
  DELETE FROM idempotency_keys WHERE created_at < clock_timestamp() - make_interval(mins => $1)
`;

/** Records per transaction, so that it is short. */
export const AUDIT_BATCH = 1_000;

/** Deletes up to AUDIT_BATCH records older than $1 days. It returns how many it deleted. */
export const FORGET_AUDIT_LOG = /* sql */ `SELECT forget_audit_log($1, ${AUDIT_BATCH}) AS deleted`;
