import type { EntityManager } from 'typeorm';
import { statement } from '#libs/database';

/** A manual retry restarts the schedule of retries. The event may already be deleted. */
const RETRY = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', endpointId: 'uuid' },
  sql: `
    UPDATE webhook_deliveries d SET state = 'PENDING', failures = 0, next_attempt_at = clock_timestamp()
    WHERE d.organization_id = $1 AND d.id = ANY ($2::uuid[])
      AND EXISTS (SELECT FROM change_events e WHERE e.organization_id = d.organization_id AND e.id = d.event_id)
    RETURNING d.id, d.endpoint_id AS "endpointId"
  `,
});

const FAILED_SINCE = statement({
  parameters: ['uuid', 'timestamptz', 'uuid?', 'bigint'],
  columns: { id: 'uuid' },
  sql: `
    SELECT id FROM webhook_deliveries
    WHERE organization_id = $1 AND state = 'FAILED' AND created_at >= $2::timestamptz AND ($3::uuid IS NULL OR endpoint_id = $3::uuid)
    ORDER BY created_at LIMIT $4
  `,
});

/** Rows per transaction, so that pollers do not wait for long. */
const BATCH = 1_000;

/**
 * Sends a delivery again, in any state.
 *
 * @returns false if it does not exist, or its event was deleted
 */
export async function retryDelivery(
  manager: EntityManager,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<boolean> {
  return (await RETRY.run(manager, [organizationId, [id]])) > 0;
}

/**
 * Sends failed deliveries of events since a point in time again, in batches.
 *
 * @param endpointId only deliveries to this endpoint
 * @returns the number of deliveries
 */
export async function retryFailed(
  inTransaction: <T>(batch: (manager: EntityManager) => Promise<T>) => Promise<T>,
  {
    organizationId,
    since,
    endpointId = null,
  }: { organizationId: string; since: string; endpointId?: string | null },
): Promise<number> {
  for (let retried = 0; ; ) {
    const [failed, again] = await inTransaction(async (manager) => {
      const found = await FAILED_SINCE.rows(manager, [organizationId, since, endpointId, BATCH]);
      const again = await RETRY.run(manager, [organizationId, found.map(({ id }) => id)]);
      return [found.length, again] as const;
    });
    retried += again;
    if (failed < BATCH || again === 0) return retried;
  }
}

/** Deletes up to $2 deliveries older than $1 days, and their attempts. It returns how many it deleted. */
export const FORGET_DELIVERIES = statement({
  parameters: ['int', 'int'],
  columns: { deleted: 'int' },
  sql: 'SELECT forget_some_webhook_deliveries($1, $2) AS deleted',
});
