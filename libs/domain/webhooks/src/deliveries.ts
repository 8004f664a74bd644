import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';
import { WebhookRefused } from './endpoints';

/** Of a delivery `d`. */
const HAS_ENDPOINT = `EXISTS (SELECT FROM webhook_endpoints w
  WHERE w.organization_id = d.organization_id AND w.id = d.endpoint_id AND w.deleted_at IS NULL)`;

/** A manual retry restarts the schedule of retries. The event or the endpoint may already be deleted. */
const RETRY = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', endpointId: 'uuid' },
  sql: `
    UPDATE webhook_deliveries d SET state = 'PENDING', failures = 0, next_attempt_at = clock_timestamp()
    WHERE d.organization_id = $1 AND d.id = ANY ($2::uuid[])
      AND EXISTS (SELECT FROM change_events e WHERE e.organization_id = d.organization_id AND e.id = d.event_id)
      AND ${HAS_ENDPOINT}
    RETURNING d.id, d.endpoint_id AS "endpointId"
  `,
});

const FAILED_SINCE = statement({
  parameters: ['uuid', 'timestamptz', 'uuid?', 'bigint', 'uuid?', 'uuid?'],
  columns: { id: 'uuid' },
  sql: `
    SELECT id FROM webhook_deliveries d
    WHERE organization_id = $1 AND state = 'FAILED' AND created_at >= $2::timestamptz
      AND ($6::uuid IS NULL OR (created_at, id) > (SELECT l.created_at, l.id FROM webhook_deliveries l WHERE l.organization_id = $1 AND l.id = $6))
      AND ($3::uuid IS NULL OR endpoint_id = $3::uuid)
      AND ($5::uuid IS NULL OR EXISTS (SELECT FROM webhook_endpoints w
        WHERE w.organization_id = d.organization_id AND w.id = d.endpoint_id AND w.api_key_id = $5::uuid))
      AND ${HAS_ENDPOINT} AND EXISTS (SELECT FROM change_events e WHERE e.organization_id = d.organization_id AND e.id = d.event_id)
    ORDER BY created_at, id LIMIT $4
  `,
});

const ENDPOINT_IS_DELETED = statement({
  parameters: ['uuid', 'uuid'],
  sql: `SELECT FROM webhook_deliveries d WHERE d.organization_id = $1 AND d.id = $2 AND NOT ${HAS_ENDPOINT}`,
});

/** Rows per transaction, so that pollers do not wait for long. */
const BATCH = 1_000;

/**
 * Sends a delivery again, in any state.
 *
 * @returns false if it does not exist, or its event was deleted
 * @throws WebhookRefused if its endpoint was deleted
 */
export async function retryDelivery(
  manager: EntityManager,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<boolean> {
  if ((await RETRY.run(manager, [organizationId, [id]])) > 0) return true;
  if (await ENDPOINT_IS_DELETED.run(manager, [organizationId, id]))
    throw new WebhookRefused('The webhook endpoint of the delivery was deleted.');
  return false;
}

/**
 * Sends failed deliveries of events since a point in time again, in batches.
 *
 * @param endpointId only deliveries to this endpoint
 * @param apiKeyId only deliveries to endpoints of this key
 * @returns the number of deliveries
 */
export async function retryFailed(
  inTransaction: <T>(batch: (manager: EntityManager) => Promise<T>) => Promise<T>,
  {
    organizationId,
    since,
    endpointId = null,
    apiKeyId = null,
  }: { organizationId: string; since: string; endpointId?: string | null; apiKeyId?: string | null },
): Promise<number> {
  // What fails again at once is before the last one, and is not read again.
  let last: string | null = null;
  for (let retried = 0; ; ) {
    const found = await inTransaction(async (manager) => {
      const of = [organizationId, since, endpointId, BATCH, apiKeyId, last] as const;
      const failed = await FAILED_SINCE.rows(manager, of);
      retried += await RETRY.run(manager, [organizationId, failed.map(({ id }) => id)]);
      return failed;
    });
    last = found.at(-1)?.id ?? null;
    if (found.length < BATCH) return retried;
  }
}

/** Deletes up to $3 deliveries of an organization that are older than $2 seconds, and their attempts. Returns how many it deleted. */
export const FORGET_DELIVERIES = statement({
  parameters: ['uuid', 'float8', 'int'],
  columns: { deleted: 'int' },
  sql: `
    WITH old AS MATERIALIZED (
      SELECT id FROM webhook_deliveries
      WHERE organization_id = $1 AND created_at < statement_timestamp() - make_interval(secs => $2)
      ORDER BY created_at LIMIT $3::int
    ), attempts AS (
      DELETE FROM webhook_attempts a USING old WHERE a.organization_id = $1 AND a.delivery_id = old.id
    ), gone AS (
      DELETE FROM webhook_deliveries d USING old WHERE d.organization_id = $1 AND d.id = old.id RETURNING 1
    )
    SELECT count(*)::int AS deleted FROM gone
  `,
});

/** Of each organization one, so that organizations take turns. While it is leased, a run may be sending to it. */
export const DELETED_ENDPOINTS = statement({
  columns: { organizationId: 'uuid', endpointId: 'uuid' },
  sql: 'SELECT organization_id AS "organizationId", endpoint_id AS "endpointId" FROM webhook_endpoints_deleted()',
});

/**
 * Removes up to $3 deliveries that are not sent to the deleted endpoint $2 of the organization $1, and after the last of them the
 * endpoint.
 */
export const FORGET_ENDPOINT = statement({
  parameters: ['uuid', 'uuid', 'int'],
  sql: `
    WITH pending AS MATERIALIZED (
      SELECT id FROM webhook_deliveries WHERE organization_id = $1 AND endpoint_id = $2 AND state = 'PENDING' LIMIT $3::int
    ), attempts AS (
      DELETE FROM webhook_attempts a USING pending p WHERE a.organization_id = $1 AND a.delivery_id = p.id
    ), gone AS (
      DELETE FROM webhook_deliveries d USING pending p WHERE d.organization_id = $1 AND d.id = p.id
    )
    DELETE FROM webhook_endpoints w WHERE w.organization_id = $1 AND w.id = $2 AND w.deleted_at IS NOT NULL
      AND (SELECT count(*) FROM pending) < $3::int
  `,
});
