/** Events of one transaction: the lists that end at the watermark wait for it. */
const BATCH = 1_000;

/**
 * Deletes up to BATCH events older than $1 days, and returns whether there may be more. It looks for them by organization,
 * so that each is found by the index.
 */
export const FORGET_CHANGE_EVENTS = /* sql */ `
  WITH old AS MATERIALIZED (
    SELECT f.organization_id, o.id FROM change_event_feeds f CROSS JOIN LATERAL (
      SELECT e.id FROM change_events e
      WHERE e.organization_id = f.organization_id AND e.occurred_at < clock_timestamp() - make_interval(days => $1)
      ORDER BY e.occurred_at LIMIT ${BATCH}
    ) o
    LIMIT ${BATCH}
  ), gone AS (
    DELETE FROM change_events e USING old WHERE e.organization_id = old.organization_id AND e.id = old.id RETURNING true
  )
  SELECT count(*) = ${BATCH} AS more FROM gone
`;
