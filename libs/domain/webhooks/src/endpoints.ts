import { type EntityManager, In, IsNull } from 'typeorm';
import { type Actor, type AuditAction, audit, changesBetween, type FieldChange } from '#platform/access';
import {
  EventOccurrence,
  isId,
  NIL_ID,
  newId,
  statement,
  updateGiven,
  WebhookEndpoint,
} from '#platform/database';
import { changeFeedErrors } from './change-events/change-feeds';
import type { ChangeEventTypeName } from './change-events/types';
import { problemOfUrl, type UrlRules } from './endpoint-url';
import { WATERMARK } from './fan-out';
import { pendingOf } from './pending';
import { newSecret, placeOf, type SecretBox } from './secrets';

/** The requested change is not possible. The message gives the reason and is shown to the user. */
export class WebhookRefused extends Error {
  /** @param path the property of the body that is refused, if it is one */
  constructor(
    readonly rule: string,
    readonly path?: string,
  ) {
    super(path ? `${path} ${rule}` : rule);
  }
}

export interface EndpointRules extends UrlRules {
  /** The most endpoints of an organization. */
  most: number;
}

export interface EndpointFields {
  url: string;
  types: ChangeEventTypeName[];
  /** `null`: all occurrences. */
  eventOccurrenceIds?: string[] | null;
  description?: string | null;
  enabled?: boolean;
  /** The key that makes it, if a key does. */
  apiKeyId?: string;
}

export interface EndpointName {
  organizationId: string;
  id: string;
}

/** The fan-out also locks this row, so no deliveries are created meanwhile. */
const LOCK_FEED = statement({
  parameters: ['uuid'],
  sql: `SELECT FROM change_event_feeds WHERE organization_id = $1 FOR NO KEY UPDATE`,
});

const SKIP_TO = statement({
  parameters: ['uuid', 'timestamptz'],
  sql: `
    UPDATE change_event_feeds SET fanned_out_at = $2, fanned_out_id = '${NIL_ID}' WHERE organization_id = $1 AND $2 > fanned_out_at
  `,
});

const PING = statement({
  parameters: ['uuid', 'uuid'],
  columns: { id: 'uuid' },
  sql: `
    WITH event AS (
      INSERT INTO change_events (organization_id, id, type, subject_id, data)
      VALUES ($1, uuid_v7(), 'webhook_endpoint.ping', $2, jsonb_build_object('webhookEndpointId', $2::uuid)) RETURNING id
    )
    INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, type, next_attempt_at)
    SELECT $1, uuid_v7(), $2, id, 'webhook_endpoint.ping', clock_timestamp() FROM event RETURNING id
  `,
});

const IS_CROWDED = statement({
  parameters: ['uuid', 'uuid', 'bigint'],
  columns: { crowded: 'boolean' },
  sql: `SELECT ${pendingOf('$1', '$2', '$3')} >= $3 AS crowded`,
});

/**
 * Adds an endpoint, which receives events from now on. Call it in a transaction, after `feeds.switchOn()`.
 *
 * @returns the endpoint, and its secret, which can't be read again
 * @throws WebhookRefused; ApiError 503 as `skipToNow`
 */
export async function createEndpoint(
  manager: EntityManager,
  box: SecretBox,
  rules: EndpointRules,
  { organizationId, apiKeyId, ...fields }: EndpointFields & { organizationId: string },
  by: Actor,
): Promise<{ id: string; secret: string }> {
  await checkFields(manager, organizationId, rules, fields);
  await LOCK_FEED.run(manager, [organizationId]);
  const count = await manager.countBy(WebhookEndpoint, { organizationId, deletedAt: IsNull() });
  if (count >= rules.most)
    throw new WebhookRefused(`Your organization already has ${rules.most} endpoints, the maximum.`);
  const { enabled = true, ...stored } = fields;
  if (enabled) await skipToNow(manager, organizationId);
  const id = newId();
  const secret = newSecret();
  await manager.insert(WebhookEndpoint, {
    organizationId,
    id,
    apiKeyId,
    ...stored,
    secret: box.seal(secret, placeOf(organizationId, id)),
    ...(!enabled && { disabledAt: () => 'clock_timestamp()', disabledReason: 'MANUAL' as const }),
  });
  await auditEndpoint(manager, by, 'webhook_endpoint.create', { organizationId, id }, settingsOf(fields));
  return { id, secret };
}

/**
 * Changes the given properties. An endpoint that is enabled again receives new events and its pending deliveries.
 *
 * @returns false if the endpoint does not exist
 * @throws WebhookRefused; ApiError 503 as `skipToNow`
 */
export async function updateEndpoint(
  manager: EntityManager,
  rules: EndpointRules,
  { organizationId, id }: EndpointName,
  fields: Partial<EndpointFields>,
  by: Actor,
): Promise<boolean> {
  await checkFields(manager, organizationId, rules, fields);
  await LOCK_FEED.run(manager, [organizationId]);
  const endpoint = await lockEndpoint(manager, { organizationId, id });
  if (!endpoint) return false;
  const { enabled, ...stored } = fields;
  const isEnabled = endpoint.disabledAt === null;
  const differing = changesBetween({ ...endpoint, enabled: isEnabled }, fields);
  if (differing.length === 0) return true;
  const change = enabled !== undefined && enabled !== isEnabled;
  if (change && enabled) await skipToNow(manager, organizationId);
  await updateGiven(
    manager,
    WebhookEndpoint,
    { organizationId, id },
    {
      ...stored,
      ...(change &&
        enabled && { disabledAt: null, disabledReason: null, failingSince: null, failuresInRow: 0 }),
      ...(change && !enabled && { disabledAt: () => 'clock_timestamp()', disabledReason: 'MANUAL' as const }),
      changedAt: () => 'clock_timestamp()',
    },
  );
  // Without the path of the URL.
  const changes = differing.map((each) =>
    each.field === 'url'
      ? { ...each, from: originOf(each.from as string), to: originOf(each.to as string) }
      : each,
  );
  await auditEndpoint(
    manager,
    by,
    'webhook_endpoint.update',
    { organizationId, id },
    settingsOf(fields),
    changes,
  );
  return true;
}

/**
 * Skips past events: without endpoints, the position did not advance.
 *
 * @throws ApiError 503 while the watermark is unknown
 */
async function skipToNow(manager: EntityManager, organizationId: string): Promise<void> {
  const live = { organizationId, disabledAt: IsNull(), deletedAt: IsNull() };
  if (await manager.existsBy(WebhookEndpoint, live)) return;
  const { at } = await WATERMARK.one(manager);
  if (!at) throw changeFeedErrors.notReady();
  await SKIP_TO.run(manager, [organizationId, at]);
}

/**
 * Call it in a transaction. Maintenance removes the deliveries that are not sent yet.
 *
 * @returns false if the endpoint does not exist
 */
export async function deleteEndpoint(
  manager: EntityManager,
  name: EndpointName,
  by: Actor,
): Promise<boolean> {
  await LOCK_FEED.run(manager, [name.organizationId]);
  const affected = await updateGiven(
    manager,
    WebhookEndpoint,
    { ...name, deletedAt: IsNull() },
    {
      deletedAt: () => 'clock_timestamp()',
      secret: '',
      previousSecret: null,
    },
  );
  if (!affected) return false;
  await auditEndpoint(manager, by, 'webhook_endpoint.delete', name);
  return true;
}

/**
 * @param mostPending the most pending deliveries to the endpoint
 * @returns the delivery of a test event; `undefined` if the endpoint does not exist
 * @throws WebhookRefused
 */
export async function pingEndpoint(
  manager: EntityManager,
  { organizationId, id }: EndpointName,
  mostPending: number,
): Promise<string | undefined> {
  const endpoint = await lockEndpoint(manager, { organizationId, id });
  if (!endpoint) return undefined;
  if (endpoint.disabledAt) throw new WebhookRefused('The endpoint is disabled. Enable it first.');
  if ((await IS_CROWDED.one(manager, [organizationId, id, mostPending])).crowded)
    throw new WebhookRefused(`The endpoint already has ${mostPending} pending deliveries, the maximum.`);
  return (await PING.one(manager, [organizationId, id])).id;
}

const LOCK_ENDPOINT = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'SELECT FROM webhook_endpoints WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
});

/** Locks an endpoint until the transaction ends; null if it does not exist. */
export async function lockEndpoint(
  manager: EntityManager,
  { organizationId, id }: EndpointName,
): Promise<WebhookEndpoint | null> {
  await LOCK_ENDPOINT.run(manager, [organizationId, id]);
  return manager.findOneBy(WebhookEndpoint, { organizationId, id, deletedAt: IsNull() });
}

/** Records a change in the audit log. */
export const auditEndpoint = (
  manager: EntityManager,
  by: Actor,
  action: AuditAction,
  { organizationId, id }: EndpointName,
  details: Record<string, unknown> = {},
  changes?: FieldChange[],
): Promise<void> =>
  audit(manager, by, {
    ...{ organizationId, action, objectType: 'webhook_endpoint', objectId: id, details, changes },
  });

/**
 * The content of the audit log: the path and query of a URL can contain secrets, and a description names of people.
 */
function settingsOf(fields: Partial<EndpointFields>): Record<string, unknown> {
  const { url, types, eventOccurrenceIds, enabled } = fields;
  const changed = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return { changed, origin: url && originOf(url), types, eventOccurrenceIds, enabled };
}

const originOf = (url: string): string => new URL(url).origin;

async function checkFields(
  manager: EntityManager,
  organizationId: string,
  rules: EndpointRules,
  { url, eventOccurrenceIds }: Partial<EndpointFields>,
): Promise<void> {
  const problem = url !== undefined && problemOfUrl(url, rules);
  if (problem) throw new WebhookRefused(problem, 'url');
  if (!eventOccurrenceIds) return;
  const found = await manager.find(EventOccurrence, {
    select: { id: true },
    where: { organizationId, id: In(eventOccurrenceIds.filter(isId)) },
  });
  const missing = eventOccurrenceIds.find((id) => !found.some((occurrence) => occurrence.id === id));
  if (missing !== undefined)
    throw new WebhookRefused(
      `must be event occurrences of your organization, which ${missing} is not`,
      'eventOccurrenceIds',
    );
}
