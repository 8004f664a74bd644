/**
 * Deletes events older than $1 days, in batches, because lists by `updatedAt` wait for each transaction. By
 * organization, to use the index.
 */
export const FORGET_CHANGE_EVENTS = /* sql */ `
  DELETE FROM change_events e USING change_event_feeds f CROSS JOIN LATERAL (
    SELECT o.id FROM change_events o
    WHERE o.organization_id = f.organization_id AND o.occurred_at < clock_timestamp() - make_interval(days => $1)
    ORDER BY o.occurred_at LIMIT 2000
  ) old
  WHERE e.organization_id = f.organization_id AND e.id = old.id
`;
