/** An endpoint `w` that gets deliveries. */
export const LIVE = 'w.disabled_at IS NULL AND w.deleted_at IS NULL';

/** The number of deliveries to an endpoint that are to be sent or retried, counted up to `most`. */
export const pendingOf = (organizationId: string, endpointId: string, most: string): string => `(
  SELECT count(*) FROM (
    SELECT FROM webhook_deliveries d
    WHERE d.organization_id = ${organizationId} AND d.endpoint_id = ${endpointId} AND d.state = 'PENDING' LIMIT ${most}) pending)`;
