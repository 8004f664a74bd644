/** Adds up the deltas of counters that have more than $1. */
export const COMPACT_COUNTERS = 'SELECT compact_counters($1)';

/** Windows last a minute. One that opens anew while this runs is seen as it then is, and stays. */
export const FORGET_RATE_WINDOWS = /* sql */ `
  DELETE FROM rate_windows WHERE window_start < clock_timestamp() - interval '2 minutes'
`;

export const FORGET_IDEMPOTENCY_KEYS = 'SELECT forget_idempotency_keys($1)';

/** Deletes a dry run that ended more than $1 minutes ago, if there is one. It returns how many it deleted. */
export const FORGET_DRY_RUN = 'SELECT forget_dry_run($1) AS deleted';

/** Records of one transaction, so that none is long. */
export const AUDIT_BATCH = 1_000;

/** Deletes up to AUDIT_BATCH records older than $1 days. It returns how many it deleted. */
export const FORGET_AUDIT_LOG = `SELECT forget_old_audit_records($1, ${AUDIT_BATCH}) AS deleted`;
