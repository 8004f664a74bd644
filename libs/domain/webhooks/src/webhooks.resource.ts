import { DELIVERY_STATES } from '#platform/database';
import { dateTime, equals, id, instant, type ListDeclaration, oneOf, type Resource } from '#platform/queries';
import { CHANGE_EVENT_TYPE_NAMES } from './change-events/types';
import { WebhookDelivery, WebhookEndpoint } from './webhooks.dto';

/** A delivery can be retried any number of times. */
const MOST_ATTEMPTS = 5;

/** A key with permissions sees the endpoints that it made: others can have URLs with secrets, and events that it can't read. */
const own =
  (endpoint: (condition: string) => string): Resource['limits'] =>
  ({ permissions, keyId }, bind) =>
    permissions ? endpoint(`api_key_id = ${bind(keyId)}`) : undefined;

export const WEBHOOK_ENDPOINT: Resource = {
  schema: WebhookEndpoint,
  from: 'webhook_endpoints t',
  where: 't.deleted_at IS NULL',
  limits: own((condition) => `t.${condition}`),
  select: `
    t.id AS "id",
    t.url AS "url",
    t.types AS "types",
    t.event_occurrence_ids AS "eventOccurrenceIds",
    t.description AS "description",
    t.disabled_at IS NULL AS "enabled",
    t.disabled_reason AS "disabledReason",
    t.disabled_at AS "disabledAt",
    t.failing_since AS "failingSince",
    t.behind_at AS "behindSince",
    t.missed_until AS "missedUntil",
    t.created_at AS "createdAt",
    t.changed_at AS "updatedAt"`,
};

export const WEBHOOK_ENDPOINTS: ListDeclaration = {
  name: 'webhookEndpoints',
  schemaName: 'PagedWebhookEndpoints',
  of: WEBHOOK_ENDPOINT,
  order: { sql: 't.created_at', type: 'timestamptz' },
};

export const WEBHOOK_DELIVERY: Resource = {
  schema: WebhookDelivery,
  from: 'webhook_deliveries t',
  limits: own(
    (condition) => `EXISTS (SELECT FROM webhook_endpoints w
      WHERE w.organization_id = t.organization_id AND w.id = t.endpoint_id AND w.${condition})`,
  ),
  select: `
    t.id AS "id",
    t.endpoint_id AS "endpointId",
    t.event_id AS "eventId",
    t.type AS "type",
    t.state AS "state",
    t.created_at AS "createdAt",
    t.next_attempt_at AS "nextAttemptAt",
    (SELECT count(*)::int FROM webhook_attempts a
      WHERE a.organization_id = t.organization_id AND a.delivery_id = t.id) AS "attemptCount",
    coalesce((SELECT json_agg(json_build_object('attemptedAt', ${instant('a.attempted_at')}, 'durationMs', a.duration_ms,
        'status', a.status, 'error', a.error, 'response', a.response) ORDER BY a.attempted_at, a.id)
      FROM (SELECT * FROM webhook_attempts WHERE organization_id = t.organization_id AND delivery_id = t.id
        ORDER BY attempted_at DESC, id DESC LIMIT ${MOST_ATTEMPTS}) a), '[]') AS "attempts"`,
};

export const WEBHOOK_DELIVERIES: ListDeclaration = {
  name: 'webhookDeliveries',
  schemaName: 'PagedWebhookDeliveries',
  of: WEBHOOK_DELIVERY,
  order: { sql: 't.created_at', type: 'timestamptz' },
  newestFirst: true,
  filters: {
    endpointId: equals('endpoint_id', id('Only deliveries to this webhook endpoint.')),
    state: equals('state', oneOf('Only deliveries in this state.', DELIVERY_STATES)),
    type: equals('type', oneOf('Only deliveries of events of this type.', CHANGE_EVENT_TYPE_NAMES)),
    'createdAt[after]': {
      parameter: dateTime('Only deliveries created after this time (exclusive).', 'down'),
      where: (value) => `t.created_at > ${value}::timestamptz`,
    },
    'createdAt[before]': {
      parameter: dateTime('Only deliveries created before this time (exclusive).', 'up'),
      where: (value) => `t.created_at < ${value}::timestamptz`,
    },
  },
};
