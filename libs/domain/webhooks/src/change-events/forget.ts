import { statement } from '#platform/database';

/** Deletes up to $3 events of an organization that are older than $2 seconds, and returns how many. */
export const FORGET_CHANGE_EVENTS = statement({
  parameters: ['uuid', 'float8', 'int'],
  columns: { deleted: 'int' },
  sql: `
    WITH gone AS (
      DELETE FROM change_events WHERE organization_id = $1 AND id IN (
        SELECT id FROM change_events
        WHERE organization_id = $1 AND occurred_at < statement_timestamp() - make_interval(secs => $2)
        ORDER BY occurred_at LIMIT $3::int)
      RETURNING 1
    )
    SELECT count(*)::int AS deleted FROM gone
  `,
});
