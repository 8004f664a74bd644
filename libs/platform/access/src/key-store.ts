import { type EntityManager, In, IsNull } from 'typeorm';
import {
  ApiKey,
  BookingFormField,
  EventOccurrence,
  isId,
  newId,
  Organization,
  Partner,
  statement,
  updateGiven,
  WebhookEndpoint,
} from '#platform/database';
import { trimmed } from '#platform/validation';
import { type Actor, type AuditAction, audit } from './audit/audit';
import { onlyReads, PARTNER_PERMISSIONS, type Permission, permissionsOf } from './permissions';
import { SCOPED_ENDPOINTS } from './scoped-endpoints';
import { questionsIn, TIMING_READS, unknownIn } from './timing-reads';
import type { KeyKind, Tokens } from './tokens';

/** The two restriction lists of a key. `undefined` or `null`: no such restriction. */
export interface Restrictions {
  eventOccurrenceIds?: string[] | null;
  endpoints?: string[] | null;
}

/** What is changed about a key. */
export interface Narrowing extends Restrictions {
  /** Some of those that the key has. */
  permissions?: string[];
  reads?: string[];
}

export interface NewKey extends Restrictions {
  organizationId: string;
  name: string;
  kind: KeyKind;
  /** `undefined` or `null`: everything that the kind reaches. */
  permissions?: string[] | null;
  /** The key may only call operations that change nothing. */
  readOnly?: boolean;
  /** What a timing key may read about participants. */
  reads?: string[] | null;
  /** The partner of an organizer key that sees what the partner sees. */
  partnerId?: string | null;
  /** `null` or absent: the key does not expire. */
  expiresAt?: Date | null;
}

/** The requested change of a key is not possible. The message gives the reason and is shown to the user. */
export class KeyRefused extends Error {}

/** A key and its token, which is not stored and can't be read again. */
export interface IssuedKey {
  key: ApiKey;
  token: string;
}

/** About the bytes of keys in JSON: those of a key, of the id of an occurrence, and of the name of an endpoint, permission or read. */
const [OF_KEY, OF_ID, OF_NAME] = [1_000, 39, 100];
const lengthOf = (column: string) => `coalesce(cardinality(${column}), 0)`;
const NEWEST = statement({
  parameters: ['uuid', 'int', 'int'],
  columns: { id: 'uuid!' },
  sql: `
    SELECT id FROM (
      SELECT id, sum(${OF_KEY} + ${OF_ID} * ${lengthOf('event_occurrence_ids')}
          + ${OF_NAME} * (${['endpoints', 'permissions', 'reads'].map(lengthOf).join(' + ')}))
        OVER (ORDER BY created_at DESC, id DESC) AS bytes
      FROM api_keys WHERE organization_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2::int) newest
    WHERE bytes <= $3::int`,
});

/** The newest keys, within both maxima, and the number of all. A key can have a thousand occurrences. */
export async function newestKeys(
  manager: EntityManager,
  organizationId: string,
  { most, mostBytes }: { most: number; mostBytes: number },
): Promise<[ApiKey[], number]> {
  const ids = (await NEWEST.rows(manager, [organizationId, most, mostBytes])).map(({ id }) => id);
  const keys = await manager.find(ApiKey, {
    where: { organizationId, id: In(ids) },
    order: { createdAt: 'DESC', id: 'DESC' },
  });
  return [keys, await manager.countBy(ApiKey, { organizationId })];
}

/**
 * Creates a key, and records who created it.
 *
 * @throws KeyRefused if the name is empty, the kind can't have the restriction, a restriction is empty, or the expiry is in the past
 */
export async function createKey(
  manager: EntityManager,
  tokens: Tokens,
  asked: NewKey,
  by: Actor,
): Promise<IssuedKey> {
  const { organizationId, kind, readOnly = false, expiresAt = null, partnerId = null } = asked;
  const name = await nameIn(manager, organizationId, trimmed(asked.name));
  const { eventOccurrenceIds = null, endpoints = null, permissions: given = null } = asked;
  await checkRestrictions(manager, organizationId, kind, { eventOccurrenceIds, endpoints });
  const permissions =
    given &&
    selected(
      given,
      permissionsFor({ kind, readOnly, partnerId }),
      `a permission of a ${readOnly ? 'read-only ' : ''}key of ${partnerId ? 'a partner' : `kind ${kind}`}`,
    );
  if (kind === 'TIMING' && readOnly) {
    throw new KeyRefused("A timing key sends messages: it can't be read-only.");
  }
  const reads = readsOf(asked.reads ?? []);
  if (reads.length > 0 && kind !== 'TIMING') {
    throw new KeyRefused(
      'Only a timing key is created with names or other reads: other keys read them, or reach no participants.',
    );
  }
  await checkReads(manager, organizationId, reads);
  await checkPartner(manager, organizationId, kind, partnerId);
  checkExpiry(expiresAt);
  const issued = await issue(manager, tokens, {
    organizationId,
    kind,
    name,
    eventOccurrenceIds,
    endpoints,
    permissions,
    readOnly,
    reads: kind === 'TIMING' ? reads : null,
    partnerId,
    expiresAt,
  });
  await record(manager, by, 'key.create', issued.key, limitsOf(issued.key));
  return issued;
}

/** Begins with `test-` in a sandbox, so that nobody takes it for the key of real data. */
async function nameIn(manager: EntityManager, organizationId: string, name: string): Promise<string> {
  if (!name) throw new KeyRefused('The name must not be empty.');
  const { sandbox } = await manager.findOneByOrFail(Organization, { id: organizationId });
  return sandbox && !name.startsWith(TEST) ? `${TEST}${name}` : name;
}
const TEST = 'test-';

/**
 * Creates a key with the same rights, and lets the old key expire after the overlap, so that its owner can switch
 * without a refused request.
 *
 * @param expiresAt the expiry of the new key; `null`: never. Required if the old key expires.
 * @throws KeyRefused if the key is revoked or expired, or if it expires and `expiresAt` is absent
 */
export async function rotateKey(
  manager: EntityManager,
  tokens: Tokens,
  { organizationId, id }: Pick<ApiKey, 'organizationId' | 'id'>,
  { overlapMs, expiresAt }: { overlapMs: number; expiresAt?: Date | null },
  by: Actor,
): Promise<IssuedKey & { replaced: ApiKey }> {
  const old = await lockedKey(manager, organizationId, id);
  const now = Date.now();
  if (old.expiresAt && old.expiresAt.getTime() <= now) throw new KeyRefused('The key has expired.');
  if (old.expiresAt && expiresAt === undefined) {
    throw new KeyRefused(
      `The key expires at ${old.expiresAt.toISOString()}. Specify when the new key expires, or that it never does.`,
    );
  }
  checkExpiry(expiresAt ?? null);
  // Copies every column, so that limits in columns that are added later also apply to the new key.
  const { id: _, createdAt, last4, lastUsedAt, ...same } = old;
  const issued = await issue(manager, tokens, { ...same, expiresAt: expiresAt ?? null });
  const end = new Date(Math.min(now + overlapMs, old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
  await updateGiven(manager, ApiKey, { organizationId, id }, { expiresAt: end });
  await updateGiven(manager, WebhookEndpoint, { organizationId, apiKeyId: id }, { apiKeyId: issued.key.id });
  await record(manager, by, 'key.rotate', old, { expiresAt: end, replacedBy: issued.key.id });
  await record(manager, by, 'key.create', issued.key, { ...limitsOf(issued.key), replaces: id });
  return { ...issued, replaced: { ...old, expiresAt: end } };
}

async function issue(
  manager: EntityManager,
  tokens: Tokens,
  given: Omit<Partial<ApiKey>, 'id' | 'createdAt' | 'last4'> & { organizationId: string },
): Promise<IssuedKey> {
  const createdAt = new Date(Math.floor(Date.now() / 1000) * 1000);
  const key = manager.create(ApiKey, {
    ...given,
    id: newId(),
    createdAt,
  });
  const token = tokenOf(tokens, key);
  key.last4 = token.slice(-4);
  await manager.insert(ApiKey, key);
  const { organizationId, id } = key;
  return { key: await manager.findOneByOrFail(ApiKey, { organizationId, id }), token };
}

/** The token depends only on the key and the signing secret. */
export const tokenOf = (tokens: Tokens, key: ApiKey): string =>
  tokens.sign({
    sub: key.organizationId,
    jti: key.id,
    kind: key.kind,
    iat: Math.floor(key.createdAt.getTime() / 1000),
  });

/**
 * Replaces the given lists; `null` removes a list. Permissions can only be narrowed, those of a key without a list too. The row of the key is
 * locked, so that two concurrent changes can't remove both restrictions.
 *
 * @throws KeyRefused if the key was created without restrictions, would have none afterwards, would get a permission, or is revoked
 */
export async function restrictKey(
  manager: EntityManager,
  { organizationId, id }: Pick<ApiKey, 'organizationId' | 'id'>,
  change: Narrowing,
  by: Actor,
): Promise<ApiKey> {
  const key = await lockedKey(manager, organizationId, id);
  const changesLists = change.eventOccurrenceIds !== undefined || change.endpoints !== undefined;
  if (changesLists && !key.eventOccurrenceIds && !key.endpoints) {
    throw new KeyRefused('A key without restrictions cannot be restricted. Create a restricted key instead.');
  }
  const lists = {
    eventOccurrenceIds:
      change.eventOccurrenceIds === undefined ? key.eventOccurrenceIds : change.eventOccurrenceIds,
    endpoints: change.endpoints === undefined ? key.endpoints : change.endpoints,
  };
  if (changesLists && !lists.eventOccurrenceIds && !lists.endpoints) {
    throw new KeyRefused('A restricted key must keep at least one restriction.');
  }
  // What stays is not checked: events of a sandbox that was emptied are gone.
  await checkRestrictions(manager, organizationId, key.kind, change);
  const permissions = change.permissions
    ? selected(
        change.permissions,
        key.permissions ?? permissionsFor(key),
        'a permission of this key, and a key gets no more permissions later',
      )
    : key.permissions;
  const reads = change.reads
    ? selected(change.reads, key.reads ?? [], 'what this key reads, and a key reads no more later')
    : key.reads;
  const limits = { ...lists, permissions, ...(reads && { reads }) };
  await updateGiven(manager, ApiKey, { organizationId, id }, limits);
  // A run that began before the key had permissions does not look at them, and ends without its lease.
  if (permissions && !key.permissions)
    await updateGiven(
      manager,
      WebhookEndpoint,
      { organizationId, apiKeyId: id },
      { lease: null, leasedUntil: null },
    );
  const { eventOccurrenceIds, endpoints } = key;
  await record(manager, by, 'key.restrict', key, {
    from: { eventOccurrenceIds, endpoints, permissions: key.permissions, reads: key.reads },
    to: limits,
  });
  return { ...key, ...limits };
}

/** Revokes a key. A revoked key keeps the time of its first revocation. */
export async function revokeKey(
  manager: EntityManager,
  { organizationId, id }: Pick<ApiKey, 'organizationId' | 'id'>,
  by: Actor,
): Promise<ApiKey> {
  const affected = await updateGiven(
    manager,
    ApiKey,
    { organizationId, id, revokedAt: IsNull() },
    { revokedAt: () => 'clock_timestamp()' },
  );
  if (affected) await record(manager, by, 'key.revoke', { organizationId, id });
  return manager.findOneByOrFail(ApiKey, { organizationId, id });
}

const LOCK_KEY = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'SELECT FROM api_keys WHERE organization_id = $1 AND id = $2 FOR UPDATE',
});

/** @throws KeyRefused if the key is revoked */
async function lockedKey(manager: EntityManager, organizationId: string, id: string): Promise<ApiKey> {
  await LOCK_KEY.run(manager, [organizationId, id]);
  const key = await manager.findOneByOrFail(ApiKey, { organizationId, id });
  if (key.revokedAt) throw new KeyRefused('The key is revoked.');
  return key;
}

const record = (
  manager: EntityManager,
  by: Actor,
  action: AuditAction,
  { organizationId, id }: Pick<ApiKey, 'organizationId' | 'id'>,
  details: object = {},
): Promise<void> =>
  audit(manager, by, { organizationId, action, objectType: 'key', objectId: id, details: { ...details } });

/** Does not contain the name of the key, which may be the name of a person. */
const limitsOf = (key: ApiKey) => {
  const { kind, eventOccurrenceIds, endpoints, permissions, readOnly, reads, partnerId, expiresAt } = key;
  return { kind, eventOccurrenceIds, endpoints, permissions, readOnly, reads, partnerId, expiresAt };
};

/** What a key without a list of permissions may do. */
const permissionsFor = ({
  kind,
  readOnly,
  partnerId,
}: Pick<ApiKey, 'kind' | 'readOnly' | 'partnerId'>): Permission[] => {
  const all = partnerId ? [...PARTNER_PERMISSIONS] : permissionsOf(kind);
  return readOnly ? onlyReads(all) : all;
};

/** @throws KeyRefused if the kind can't belong to a partner, or the organization has no such partner */
async function checkPartner(
  manager: EntityManager,
  organizationId: string,
  kind: KeyKind,
  partnerId: string | null,
): Promise<void> {
  if (partnerId === null) return;
  if (kind !== 'ORGANIZER') throw new KeyRefused('Only a key of kind ORGANIZER can belong to a partner.');
  const isKnown = isId(partnerId) && (await manager.existsBy(Partner, { organizationId, id: partnerId }));
  if (!isKnown) throw new KeyRefused(`The organization has no partner ${partnerId}.`);
}

/** What a key may read about participants, in the order of `TIMING_READS`. */
const readsOf = (asked: readonly string[]): string[] => [
  ...TIMING_READS.filter((read) => asked.includes(read)),
  ...new Set(asked.filter((read) => !TIMING_READS.some((known) => known === read))),
];

/** @throws KeyRefused if one is unknown, or the answer to a question that the organization does not ask */
async function checkReads(
  manager: EntityManager,
  organizationId: string,
  reads: readonly string[],
): Promise<void> {
  const unknown = unknownIn(reads);
  if (unknown !== undefined)
    throw new KeyRefused(
      `"${unknown}" is nothing that a timing key reads. It reads ${TIMING_READS.join(', ')}, and field:<key> for the answer to a question.`,
    );
  const keys = questionsIn(reads);
  if (keys.length === 0) return;
  const found = await manager.find(BookingFormField, {
    select: { key: true },
    where: { organizationId, key: In(keys) },
  });
  const missing = keys.find((key) => !found.some((field) => field.key === key));
  if (missing !== undefined) throw new KeyRefused(`The organization has no booking form field "${missing}".`);
}

/** @throws KeyRefused if the list is empty, or contains something else */
function selected(asked: readonly string[], from: readonly string[], what: string): string[] {
  if (asked.length === 0) throw new KeyRefused('The list must not be empty.');
  const other = asked.find((name) => !from.includes(name));
  if (other !== undefined) {
    const all = from.length > 0 ? `These are: ${from.join(', ')}.` : 'There are none.';
    throw new KeyRefused(`"${other}" is not ${what}. ${all}`);
  }
  return from.filter((name) => asked.includes(name));
}

function checkExpiry(expiresAt: Date | null): void {
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    throw new KeyRefused('A key must expire in the future.');
  }
}

async function checkRestrictions(
  manager: EntityManager,
  organizationId: string,
  kind: KeyKind,
  { eventOccurrenceIds, endpoints }: Restrictions,
): Promise<void> {
  if (kind === 'MARKETPLACE' && (eventOccurrenceIds || endpoints)) {
    throw new KeyRefused('A marketplace key cannot be restricted.');
  }
  if (kind === 'TIMING' && endpoints) {
    throw new KeyRefused('A timing key can be restricted to occurrences only.');
  }
  if (eventOccurrenceIds?.length === 0 || endpoints?.length === 0) {
    throw new KeyRefused('A restriction must not be empty.');
  }
  const unknown = endpoints?.find((name) => !(SCOPED_ENDPOINTS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new KeyRefused(
      `"${unknown}" is not an endpoint for restricted keys. These are: ${SCOPED_ENDPOINTS.join(', ')}.`,
    );
  }
  if (!eventOccurrenceIds) return;
  const found = await manager.find(EventOccurrence, {
    select: { id: true },
    where: { organizationId, id: In(eventOccurrenceIds.filter(isId)) },
  });
  const missing = eventOccurrenceIds.find((id) => !found.some((occurrence) => occurrence.id === id));
  if (missing !== undefined) throw new KeyRefused(`The organization has no event occurrence ${missing}.`);
}
