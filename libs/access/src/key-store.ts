import { type EntityManager, In, IsNull } from 'typeorm';
import { type Actor, type AuditAction, audit } from '#libs/audit';
import { ApiKey, EventOccurrence, isId, newId } from '#libs/database';
import { SCOPED_ENDPOINTS } from './scoped-endpoints';
import type { KeyKind, Tokens } from './tokens';

/** The two restriction lists of a key. `undefined` or `null`: no such restriction. */
export interface Restrictions {
  eventOccurrenceIds?: string[] | null;
  endpoints?: string[] | null;
}

export interface NewKey extends Restrictions {
  organizationId: string;
  name: string;
  kind: KeyKind;
  /** The key may only call operations that change nothing. */
  readOnly?: boolean;
  /** A timing key that may read participants' names. */
  names?: boolean;
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

/**
 * Creates a key, and records who created it.
 *
 * @throws KeyRefused if the kind can't have the restriction, a restriction is empty, or the expiry is in the past
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
  return manager.transaction(async (transaction) => {
    const old = await lockedKey(transaction, organizationId, id);
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

/** The token depends only on the key and the signing secret. */
export const tokenOf = (tokens: Tokens, key: ApiKey): string =>
  tokens.sign({
    sub: key.organizationId,
    jti: key.id,
    kind: key.kind,
    iat: Math.floor(key.createdAt.getTime() / 1000),
  });

/**
 * Replaces the given lists; `null` removes a list. The row of the key is locked, so that two concurrent changes can't
 * remove both restrictions.
 *
 * @throws KeyRefused if the key was created without restrictions, would have none afterwards, or is revoked
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
      throw new KeyRefused(
        'A key without restrictions cannot be restricted. Create a restricted key instead.',
      );
    }
    const lists = {
      eventOccurrenceIds:
        change.eventOccurrenceIds === undefined ? key.eventOccurrenceIds : change.eventOccurrenceIds,
      endpoints: change.endpoints === undefined ? key.endpoints : change.endpoints,
    };
    if (!lists.eventOccurrenceIds && !lists.endpoints) {
      throw new KeyRefused('A restricted key must keep at least one restriction.');
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

/** Revokes a key. A revoked key keeps the time of its first revocation. */
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

/** @throws KeyRefused if the key is revoked */
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

/** Does not contain the name of the key, which may be the name of a person. */
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
