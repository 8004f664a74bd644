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

/** Rows of one transaction, so that none is long. Each statement returns whether there may be more. */
const BATCH = 1_000;

/** Deletes keys older than $1 minutes. */
export const FORGET_IDEMPOTENCY_KEYS = /* sql */ `
  WITH gone AS (
    DELETE FROM idempotency_keys k USING (
      SELECT organization_id, operation, key FROM idempotency_keys
      WHERE created_at < clock_timestamp() - make_interval(mins => $1)
      ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ) old
    WHERE k.organization_id = old.organization_id AND k.operation = old.operation AND k.key = old.key
    RETURNING true
  )
  SELECT count(*) = ${BATCH} AS more FROM gone
`;

/** Deletes records older than $1 days. */
export const FORGET_AUDIT_LOG = /* sql */ `SELECT forget_audit_log($1, ${BATCH}) = ${BATCH} AS more`;
