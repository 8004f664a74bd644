import { type EntityManager, In, IsNull } from 'typeorm';
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
}

/** What was asked of a key can't be; the message says why, to the person who asked. */
export class KeyRefused extends Error {}

/**
 * Stores a key and returns it with its token, which is not stored and can't be read again.
 *
 * @throws KeyRefused where the kind takes no such restriction, or a restriction names nothing
 */
export async function createKey(
  manager: EntityManager,
  tokens: Tokens,
  asked: NewKey,
): Promise<{ key: ApiKey; token: string }> {
  const { organizationId, kind, name } = asked;
  const { eventOccurrenceIds = null, endpoints = null } = asked;
  await checkRestrictions(manager, organizationId, kind, { eventOccurrenceIds, endpoints });
  const createdAt = new Date(Math.floor(Date.now() / 1000) * 1000);
  const key = manager.create(ApiKey, {
    organizationId,
    id: newId(),
    kind,
    name,
    eventOccurrenceIds,
    endpoints,
    createdAt,
  });
  const token = tokenOf(tokens, key);
  key.last4 = token.slice(-4);
  await manager.insert(ApiKey, key);
  return { key: await manager.findOneByOrFail(ApiKey, { organizationId, id: key.id }), token };
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
): Promise<ApiKey> {
  return manager.transaction(async (transaction) => {
    const key = await transaction.findOneOrFail(ApiKey, {
      where: { organizationId, id },
      lock: { mode: 'pessimistic_write' },
    });
    if (key.revokedAt) throw new KeyRefused('The key is revoked.');
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
    return { ...key, ...lists };
  });
}

/** Revokes for good; a key revoked already keeps the time of its first revocation. */
export async function revokeKey(
  manager: EntityManager,
  { organizationId, id }: Pick<ApiKey, 'organizationId' | 'id'>,
): Promise<ApiKey> {
  await manager.update(
    ApiKey,
    { organizationId, id, revokedAt: IsNull() },
    { revokedAt: () => 'clock_timestamp()' },
  );
  return manager.findOneByOrFail(ApiKey, { organizationId, id });
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
