import { OF_A_DAY, statement } from '#platform/database';

/** Adds up the deltas of counters that have more than $1. */
export const COMPACT_COUNTERS = statement({ parameters: ['int'], sql: 'SELECT compact_counters($1)' });

/** Adds up the deltas of the versions of organizations that have more than $1. */
export const COMPACT_VERSIONS = statement({ parameters: ['int'], sql: 'SELECT compact_versions($1)' });

/** Windows last up to an hour, those of allowances of bytes a day. A window that starts again during the statement is kept. */
export const FORGET_RATE_WINDOWS = statement({
  sql: `
    DELETE FROM rate_windows
    WHERE window_start < clock_timestamp() - CASE WHEN starts_with(endpoint, '${OF_A_DAY}') THEN interval '1 day' ELSE interval '1 hour' END
  `,
});

/** Organizations with rows of the kind that are older than $2 seconds. */
export const ORGANIZATIONS_WITH_EXPIRED = statement({
  parameters: ['text', 'float8'],
  columns: { id: 'uuid' },
  sql: 'SELECT id FROM organizations_with_expired($1, $2) id',
});

export const FORGET_IDEMPOTENCY_KEYS = statement({
  parameters: ['uuid', 'float8', 'int'],
  columns: { deleted: 'int' },
  sql: `
    WITH gone AS (
      DELETE FROM idempotency_keys WHERE organization_id = $1 AND (operation, key) IN (
        SELECT operation, key FROM idempotency_keys
        WHERE organization_id = $1 AND created_at < statement_timestamp() - make_interval(secs => $2)
        ORDER BY created_at LIMIT $3::int FOR UPDATE SKIP LOCKED)
      RETURNING 1
    )
    SELECT count(*)::int AS deleted FROM gone
  `,
});

export const FORGET_REQUESTS = statement({
  parameters: ['uuid', 'float8', 'int'],
  columns: { deleted: 'int' },
  sql: 'SELECT deleted FROM forget_requests_of($1, $2, $3) deleted',
});

export const FORGET_AUDIT_LOG = statement({
  parameters: ['uuid', 'float8', 'int'],
  columns: { deleted: 'int' },
  sql: 'SELECT deleted FROM forget_audit_of($1, $2, $3) deleted',
});
