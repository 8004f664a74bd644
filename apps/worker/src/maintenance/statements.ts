import { statement } from '#libs/database';
/** Adds up the deltas of counters that have more than $1. */
export const COMPACT_COUNTERS = statement({ parameters: ['int'], sql: 'SELECT compact_counters($1)' });

/** Adds up the deltas of the versions of organizations that have more than $1. */
export const COMPACT_VERSIONS = statement({ parameters: ['int'], sql: 'SELECT compact_versions($1)' });

/** Windows last a minute. A window that starts again during the statement is kept. */
export const FORGET_RATE_WINDOWS = statement({
  sql: `
    DELETE FROM rate_windows WHERE window_start < clock_timestamp() - interval '2 minutes'
  `,
});

export const FORGET_IDEMPOTENCY_KEYS = statement({
  parameters: ['int', 'int'],
  columns: { deleted: 'int' },
  sql: 'SELECT forget_some_idempotency_keys($1, $2) AS deleted',
});

/** Deletes up to $2 dry runs that ended more than $1 minutes ago, with their rows. */
export const FORGET_DRY_RUNS = statement({
  parameters: ['int', 'int'],
  columns: { deleted: 'int' },
  sql: 'SELECT forget_dry_runs($1, $2) AS deleted',
});

export const FORGET_REQUESTS = statement({
  parameters: ['int', 'int'],
  columns: { deleted: 'int' },
  sql: 'SELECT forget_requests($1, $2) AS deleted',
});

export const FORGET_AUDIT_LOG = statement({
  parameters: ['int', 'int'],
  columns: { deleted: 'int' },
  sql: 'SELECT forget_old_audit_records($1, $2) AS deleted',
});
