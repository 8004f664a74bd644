/** Adds up the deltas of counters that have more than $1. */
export const COMPACT_COUNTERS = 'SELECT compact_counters($1)';

/** Windows last a minute. A window that starts again during the statement is kept. */
export const FORGET_RATE_WINDOWS = /* sql */ `
  DELETE FROM rate_windows WHERE window_start < clock_timestamp() - interval '2 minutes'
`;

export const FORGET_IDEMPOTENCY_KEYS = 'SELECT forget_some_idempotency_keys($1, $2) AS deleted';

export const FORGET_AUDIT_LOG = 'SELECT forget_old_audit_records($1, $2) AS deleted';
