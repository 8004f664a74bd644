import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Row, statement } from '#platform/database';
import { isReadable, keyIsValid } from './change-events/event-permissions';
import { LIVE } from './pending';
import type { Attempt } from './sender';

export interface EndpointKey {
  organizationId: string;
  endpointId: string;
}

/** The lease of an endpoint, for one run of one worker. */
export interface Lease extends EndpointKey {
  lease: string;
  url: string;
  secret: string;
  previousSecret: string | null;
  failuresInRow: number;
  /** Whether the organization is a sandbox. */
  test: boolean;
  /** The key that made the endpoint, if the key had permissions when the lease began. */
  apiKeyId: string | null;
}

export type DueDelivery = Row<typeof DUE> & { eventId: string; body: string };

export interface Outcome {
  delivery: DueDelivery;
  attempt: Attempt;
  delivered: boolean;
  /** `undefined`: no retry. */
  retryMs: number | undefined;
}

const FREE = '(w.leased_until IS NULL OR w.leased_until < clock_timestamp())';

const DUE_ENDPOINTS = statement({
  columns: { organizationId: 'uuid', endpointId: 'uuid' },
  sql: `
    SELECT organization_id AS "organizationId", endpoint_id AS "endpointId" FROM webhook_endpoints_due()
  `,
});

const LEASE = statement({
  parameters: ['uuid', 'uuid', 'uuid', 'float8'],
  columns: {
    organizationId: 'uuid',
    endpointId: 'uuid',
    lease: 'uuid!',
    url: 'text',
    secret: 'text',
    previousSecret: 'text?',
    failuresInRow: 'int',
    test: 'boolean!',
    apiKeyId: 'uuid?',
  },
  sql: `
    UPDATE webhook_endpoints w SET lease = $3, leased_until = clock_timestamp() + $4 * interval '1 ms'
    WHERE organization_id = $1 AND id = $2 AND ${LIVE} AND ${FREE}
    RETURNING organization_id AS "organizationId", id AS "endpointId", lease, url, secret,
      CASE WHEN previous_secret_until > clock_timestamp() THEN previous_secret END AS "previousSecret",
      failures_in_row AS "failuresInRow", (SELECT sandbox FROM organizations WHERE id = organization_id) AS test,
      (SELECT k.id FROM api_keys k
        WHERE k.organization_id = w.organization_id AND k.id = w.api_key_id AND k.permissions IS NOT NULL) AS "apiKeyId"
  `,
  prepared: true,
});

const RELEASE = statement({
  parameters: ['uuid', 'uuid', 'uuid'],
  sql: `
    UPDATE webhook_endpoints SET lease = NULL, leased_until = NULL WHERE organization_id = $1 AND id = $2 AND lease = $3
  `,
  prepared: true,
});

const DUE = statement({
  parameters: ['uuid', 'uuid', 'uuid[]', 'bigint'],
  columns: { id: 'uuid', failures: 'int', eventId: 'uuid?', body: 'text?' },
  sql: `
    SELECT d.id, d.failures, e.id AS "eventId",
      CASE WHEN e.id IS NOT NULL THEN change_event_body(e.id, e.type, e.occurred_at, e.data) END AS body
    FROM webhook_deliveries d LEFT JOIN change_events e ON e.organization_id = d.organization_id AND e.id = d.event_id
    WHERE d.organization_id = $1 AND d.endpoint_id = $2 AND d.state = 'PENDING' AND d.next_attempt_at <= clock_timestamp()
      AND d.id <> ALL ($3::uuid[])
    ORDER BY d.next_attempt_at LIMIT $4
  `,
  prepared: true,
});

/** Deliveries whose event was deleted: one can be made shortly before, for an endpoint that is behind. */
const GIVE_UP_FORGOTTEN = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    UPDATE webhook_deliveries SET state = 'FAILED', next_attempt_at = NULL
    WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND state = 'PENDING'
  `,
});

/** Pending deliveries of events that the key of their endpoint can't read any more. They are not sent. A rotation gives it another key. */
const GIVE_UP_UNREADABLE = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    UPDATE webhook_deliveries d SET state = 'FAILED', next_attempt_at = NULL
    FROM change_events e, webhook_endpoints w, api_keys k
    WHERE d.organization_id = $1 AND d.endpoint_id = $2 AND d.state = 'PENDING'
      AND e.organization_id = d.organization_id AND e.id = d.event_id
      AND w.organization_id = d.organization_id AND w.id = d.endpoint_id
      AND k.organization_id = d.organization_id AND k.id = w.api_key_id
      AND NOT (${keyIsValid('k')} AND (d.type = 'webhook_endpoint.ping' OR ${isReadable('e', 'k.permissions', 'k.id')}))
  `,
});

/**
 * Writes the outcomes of a batch of attempts to an endpoint, in one statement, so that a worker that ends meanwhile has written all or
 * none. In this order:
 *
 * - `given`: the attempts.
 * - `attempts`: what the list of attempts shows.
 * - `settled`: the deliveries. A success always counts, a failure only while the delivery is pending, and was not asked for again meanwhile.
 * - `batch`: the attempts together: whether one succeeded, whether the endpoint is gone (410), the first failure.
 * - `judged`: the endpoint after them. A success ends its failures; `failing_since` is the time of the first failure after the last
 *   success.
 * - The endpoint: the lease of this run goes on. An endpoint that is gone, or failing for $6 hours, is disabled; one that is disabled
 *   already keeps its reason and time.
 */
const RECORD = statement({
  parameters: ['uuid', 'uuid', 'uuid', 'jsonb', 'float8', 'int'],
  columns: { mine: 'boolean', disabled: 'boolean' },
  sql: `
    WITH given AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset($4::jsonb) g (delivery_id uuid, attempted_at timestamptz, duration_ms int, status int,
        error text, response text, delivered boolean, retry_ms double precision, failures int)
    ), attempts AS (
      INSERT INTO webhook_attempts (organization_id, delivery_id, id, attempted_at, duration_ms, status, error, response)
      SELECT $1, delivery_id, uuid_v7(), attempted_at, duration_ms, status, error, response FROM given
      -- Those to a deleted endpoint are removed.
      WHERE EXISTS (SELECT FROM webhook_deliveries d WHERE d.organization_id = $1 AND d.id = delivery_id)
    ), settled AS (
      UPDATE webhook_deliveries d SET
        state = CASE WHEN g.delivered THEN 'DELIVERED' WHEN g.retry_ms IS NULL THEN 'FAILED' ELSE 'PENDING' END,
        failures = d.failures + (NOT g.delivered)::int,
        next_attempt_at = CASE WHEN NOT g.delivered THEN clock_timestamp() + g.retry_ms * interval '1 ms' END
      FROM given g
      WHERE d.organization_id = $1 AND d.id = g.delivery_id
        AND (g.delivered OR d.state = 'PENDING' AND d.failures = g.failures)
    ), batch AS (
      SELECT bool_or(delivered) AS succeeded, bool_or(status = 410) AS gone, min(attempted_at) FILTER (WHERE NOT delivered) AS failed_at,
        count(*) FILTER (WHERE NOT delivered)::int AS failed
      FROM given
    ), judged AS (
      SELECT w.id, CASE WHEN NOT b.succeeded THEN coalesce(w.failing_since, b.failed_at) END AS failing_since,
        CASE WHEN b.succeeded THEN 0 ELSE w.failures_in_row + b.failed END AS failures_in_row, b.gone
      FROM webhook_endpoints w, batch b WHERE w.organization_id = $1 AND w.id = $2
    )
    UPDATE webhook_endpoints w SET
      failing_since = j.failing_since, failures_in_row = j.failures_in_row,
      leased_until = CASE WHEN w.lease = $3 THEN clock_timestamp() + $5 * interval '1 ms' ELSE w.leased_until END,
      disabled_reason = CASE WHEN w.disabled_at IS NOT NULL THEN w.disabled_reason WHEN j.gone THEN 'GONE'
        WHEN j.failing_since < clock_timestamp() - make_interval(hours => $6) THEN 'FAILING' END,
      disabled_at = CASE WHEN w.disabled_at IS NOT NULL THEN w.disabled_at
        WHEN j.gone OR j.failing_since < clock_timestamp() - make_interval(hours => $6) THEN clock_timestamp() END
    FROM judged j WHERE w.organization_id = $1 AND w.id = j.id
    RETURNING coalesce(w.lease = $3, false) AND w.disabled_at IS NULL AND w.deleted_at IS NULL AS mine,
      w.disabled_at IS NOT NULL AS disabled
  `,
  prepared: true,
});

/** Access to deliveries: due deliveries, leases, and outcomes. */
@Injectable()
export class Outbox {
  constructor(private readonly database: Database) {}

  /** Not prepared: a plan for a nearly empty table would read all deliveries. */
  dueEndpoints(): Promise<EndpointKey[]> {
    return this.database.everywhere((on) => DUE_ENDPOINTS.rows(on));
  }

  /** `undefined` if another run has the lease, or the endpoint is disabled. Only one of concurrent calls gets it. */
  async lease({ organizationId, endpointId }: EndpointKey, forMs: number): Promise<Lease | undefined> {
    return LEASE.first(this.database.of(organizationId), [organizationId, endpointId, randomUUID(), forMs]);
  }

  async release({ organizationId, endpointId, lease }: Lease): Promise<void> {
    await RELEASE.run(this.database.of(organizationId), [organizationId, endpointId, lease]);
  }

  /** The deliveries that are due for the longest time, except for those in progress. */
  async due(
    { organizationId, endpointId, apiKeyId }: Pick<Lease, keyof EndpointKey | 'apiKeyId'>,
    atHand: readonly string[],
    most: number,
  ): Promise<DueDelivery[]> {
    if (apiKeyId)
      await GIVE_UP_UNREADABLE.run(this.database.of(organizationId), [organizationId, endpointId]);
    const found = await DUE.rows(this.database.of(organizationId), [
      organizationId,
      endpointId,
      atHand,
      most,
    ]);
    const due = found.filter((delivery): delivery is DueDelivery => delivery.body !== null);
    if (due.length < found.length) {
      const forgotten = found.flatMap(({ id, body }) => (body === null ? [id] : []));
      await GIVE_UP_FORGOTTEN.run(this.database.of(organizationId), [organizationId, forgotten]);
    }
    return due;
  }

  /** Writes outcomes of attempts, and extends the lease. */
  async record(
    { organizationId, endpointId, lease }: Lease,
    outcomes: readonly Outcome[],
    { leaseMs, disableHours }: { leaseMs: number; disableHours: number },
  ): Promise<{ mine: boolean; disabled: boolean }> {
    const rows = outcomes.map(({ delivery, attempt, delivered, retryMs }) => ({
      delivery_id: delivery.id,
      attempted_at: attempt.attemptedAt,
      duration_ms: attempt.durationMs,
      status: attempt.status,
      error: attempt.error,
      response: attempt.response || null,
      delivered,
      retry_ms: retryMs,
      failures: delivery.failures,
    }));
    const row = await RECORD.first(this.database.of(organizationId), [
      organizationId,
      endpointId,
      lease,
      JSON.stringify(rows),
      leaseMs,
      disableHours,
    ]);
    return row ?? { mine: false, disabled: false };
  }
}
