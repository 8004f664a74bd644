import { type EntityManager, In, IsNull } from 'typeorm';
import { type Actor, type AuditAction, audit } from '#libs/audit';
import { ApiKey, EventOccurrence, isId, newId } from '#libs/database';
import { SCOPED_ENDPOINTS } from './scoped-endpoints';
import type { KeyKind, Tokens } from './tokens';

/** A key's two lists; undefined or null: not restricted in that way. */
export interface Restrictions {
  eventOccurrenceIds?: string[] | null;
  endpoints?: string[] | null;
}

export interface NewKey extends Restrictions {
  organizationId: string;
  name: string;
  kind: KeyKind;
  /** It may call operations that change nothing only. */
  readOnly?: boolean;
  /** A timing key that may read participants' names. */
  names?: boolean;
  /** Null or absent: it does not expire. */
  expiresAt?: Date | null;
}

/** What was asked of a key is not possible; the message says why, to the person who asked. */
export class KeyRefused extends Error {}

/** A key and its token, which is not stored and can't be read again. */
export interface IssuedKey {
  key: ApiKey;
  token: string;
}

/**
 * Creates a key, and records who created it.
 *
 * @throws KeyRefused where the kind takes no such restriction, a restriction names nothing, or it expires in the past
 */
export async function createKey(
  manager: EntityManager,
  tokens: Tokens,
  asked: NewKey,
  by: Actor,
): Promise<IssuedKey> {
  const { organizationId, kind, name, readOnly = false, names = false, expiresAt = null } = asked;
  const { eventOccurrenceIds = null, endpoints = null } = asked;
  await checkRestrictions(manager, organizationId, kind, { eventOccurrenceIds, endpoints });
  if (kind === 'TIMING' && readOnly) {
    throw new KeyRefused("A timing key sends messages: it can't be read-only.");
  }
  if (names && kind !== 'TIMING') {
    throw new KeyRefused(
      'Only a timing key is created with names: other keys read them, or reach no participants.',
    );
  }
  checkExpiry(expiresAt);
  return manager.transaction(async (transaction) => {
    const issued = await issue(transaction, tokens, {
      organizationId,
      kind,
      name,
      eventOccurrenceIds,
      endpoints,
      readOnly,
      names,
      expiresAt,
    });
    await record(transaction, by, 'key.create', issued.key, limitsOf(issued.key));
    return issued;
  });
}

/**
 * Issues a key like this one, and lets this one expire after the overlap, so that its holder can change over without
 * a refused request.
 *
 * @param expiresAt of the new key; null: never. It must be given where the old key expires.
 * @throws KeyRefused where the key is revoked or expired, or expires and `expiresAt` is absent
 */
export async function rotateKey(
  manager: EntityManager,
  tokens: Tokens,
  { organizationId, id }: Pick<ApiKey, 'organizationId' | 'id'>,
  { overlapMs, expiresAt }: { overlapMs: number; expiresAt?: Date | null },
  by: Actor,
): Promise<IssuedKey & { replaced: ApiKey }> {
  return manager.transaction(async (transaction) => {
    const old = await lockedKey(transaction, organizationId, id);
    const now = Date.now();
    if (old.expiresAt && old.expiresAt.getTime() <= now) throw new KeyRefused('The key has expired.');
    if (old.expiresAt && expiresAt === undefined) {
      throw new KeyRefused(
        `The key expires at ${old.expiresAt.toISOString()}. Say when the new one expires, or that it never does.`,
      );
    }
    checkExpiry(expiresAt ?? null);
    // Whatever limits a key applies to the new one, columns that come later included.
    const { id: _, createdAt, last4, lastUsedAt, ...same } = old;
    const issued = await issue(transaction, tokens, { ...same, expiresAt: expiresAt ?? null });
    const end = new Date(Math.min(now + overlapMs, old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
    await transaction.update(ApiKey, { organizationId, id }, { expiresAt: end });
    await record(transaction, by, 'key.rotate', old, { expiresAt: end, replacedBy: issued.key.id });
    await record(transaction, by, 'key.create', issued.key, { ...limitsOf(issued.key), replaces: id });
    return { ...issued, replaced: { ...old, expiresAt: end } };
  });
}

async function issue(
  manager: EntityManager,
  tokens: Tokens,
  given: Omit<Partial<ApiKey>, 'id' | 'createdAt' | 'last4'> & { organizationId: string },
): Promise<IssuedKey> {
  const createdAt = new Date(Math.floor(Date.now() / 1000) * 1000);
  const key = manager.create(ApiKey, { ...given, id: newId(), createdAt });
  const token = tokenOf(tokens, key);
  key.last4 = token.slice(-4);
  await manager.insert(ApiKey, key);
  const { organizationId, id } = key;
  return { key: await manager.findOneByOrFail(ApiKey, { organizationId, id }), token };
}

/** The same key and signing secret always give the same token. */
export const tokenOf = (tokens: Tokens, key: ApiKey): string =>
  tokens.sign({
    sub: key.organizationId,
    jti: key.id,
    kind: key.kind,
    iat: Math.floor(key.createdAt.getTime() / 1000),
  });

/**
 * Replaces the lists that are given; a list given as null is dropped. The key's row is locked, so that of two
 * changes at once neither can leave it without any restriction.
 *
 * @throws KeyRefused where it was created without restrictions, would be left without any, or was revoked
 */
export async function restrictKey(
  manager: EntityManager,
  { organizationId, id }: Pick<ApiKey, 'organizationId' | 'id'>,
  change: Restrictions,
  by: Actor,
): Promise<ApiKey> {
  return manager.transaction(async (transaction) => {
    const key = await lockedKey(transaction, organizationId, id);
    if (!key.eventOccurrenceIds && !key.endpoints) {
      throw new KeyRefused('The key was created without restrictions; create another key, restricted.');
    }
    const lists = {
      eventOccurrenceIds:
        change.eventOccurrenceIds === undefined ? key.eventOccurrenceIds : change.eventOccurrenceIds,
      endpoints: change.endpoints === undefined ? key.endpoints : change.endpoints,
    };
    if (!lists.eventOccurrenceIds && !lists.endpoints) {
      throw new KeyRefused('A restricted key keeps at least one restriction.');
    }
    await checkRestrictions(transaction, organizationId, key.kind, lists);
    await transaction.update(ApiKey, { organizationId, id }, lists);
    const { eventOccurrenceIds, endpoints } = key;
    await record(transaction, by, 'key.restrict', key, {
      from: { eventOccurrenceIds, endpoints },
      to: lists,
    });
    return { ...key, ...lists };
  });
}

/** Revokes for good; a key revoked already keeps the time of its first revocation. */
export async function revokeKey(
  manager: EntityManager,
  { organizationId, id }: Pick<ApiKey, 'organizationId' | 'id'>,
  by: Actor,
): Promise<ApiKey> {
  return manager.transaction(async (transaction) => {
    const { affected } = await transaction.update(
      ApiKey,
      { organizationId, id, revokedAt: IsNull() },
      { revokedAt: () => 'clock_timestamp()' },
    );
    if (affected) await record(transaction, by, 'key.revoke', { organizationId, id });
    return transaction.findOneByOrFail(ApiKey, { organizationId, id });
  });
}

/** @throws KeyRefused where it is revoked */
async function lockedKey(manager: EntityManager, organizationId: string, id: string): Promise<ApiKey> {
  const key = await manager.findOneOrFail(ApiKey, {
    where: { organizationId, id },
    lock: { mode: 'pessimistic_write' },
  });
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

/** Without its name, which may be a person's. */
const limitsOf = ({ kind, eventOccurrenceIds, endpoints, readOnly, names, expiresAt }: ApiKey) => ({
  kind,
  eventOccurrenceIds,
  endpoints,
  readOnly,
  names,
  expiresAt,
});

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
    throw new KeyRefused('A marketplace key takes no restrictions.');
  }
  if (kind === 'TIMING' && endpoints) {
    throw new KeyRefused('A timing key can be restricted to occurrences only.');
  }
  if (eventOccurrenceIds?.length === 0 || endpoints?.length === 0) {
    throw new KeyRefused('A restriction must name something.');
  }
  const unknown = endpoints?.find((name) => !(SCOPED_ENDPOINTS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new KeyRefused(`No endpoint "${unknown}" is open to scoped keys: ${SCOPED_ENDPOINTS.join(', ')}.`);
  }
  if (!eventOccurrenceIds) return;
  const found = await manager.find(EventOccurrence, {
    select: { id: true },
    where: { organizationId, id: In(eventOccurrenceIds.filter(isId)) },
  });
  const missing = eventOccurrenceIds.find((id) => !found.some((occurrence) => occurrence.id === id));
  if (missing !== undefined) throw new KeyRefused(`The organization has no event occurrence ${missing}.`);
}
