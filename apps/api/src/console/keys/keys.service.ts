import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  createKey,
  type IssuedKey,
  KeyRefused,
  type Narrowing,
  newestKeys,
  type Permission,
  restrictKey,
  revokeKey,
  rotateKey,
  Tokens,
  tokenOf,
} from '#platform/access';
import { SETTINGS, type Settings } from '#platform/config';
import { ApiKey, Database } from '#platform/database';
import type { Acting } from '#platform/http';
import { errors, instantOf as instantIn } from '#platform/validation';
import { instantOf } from '../instant-of';
import type { ApiKeyItem, ApiKeyRotation, ApiKeys, IssuedApiKey, NewApiKey } from './keys.dto';

const HOUR_MS = 3_600_000;
/** The most keys in the list, and their bytes: about what a thousand keys without restrictions have. */
const MOST = { most: 1_000, mostBytes: 1_000_000 };

/** Management of keys by owners. */
@Injectable()
export class KeysService {
  private readonly tokens: Tokens;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.tokens = new Tokens(settings.SIGNING_SECRETS);
  }

  async list({ organizationId }: Acting): Promise<ApiKeys> {
    const [keys, count] = await this.within(organizationId, (manager) =>
      newestKeys(manager, organizationId, MOST),
    );
    return { data: keys.map(itemOf), count };
  }

  create({ organizationId, actor }: Acting, { expiresAt, ...asked }: NewApiKey): Promise<IssuedApiKey> {
    return issued(() =>
      this.within(organizationId, (manager) =>
        createKey(manager, this.tokens, { organizationId, ...asked, expiresAt: dateOf(expiresAt) }, actor),
      ),
    );
  }

  /** A key and its token. @throws ApiError 404 */
  async issued({ organizationId }: Pick<Acting, 'organizationId'>, id: string): Promise<IssuedApiKey> {
    const key = await this.within(organizationId, (manager) =>
      manager.findOneBy(ApiKey, { organizationId, id }),
    );
    if (!key) throw errors.notFound();
    return { key: itemOf(key), token: tokenOf(this.tokens, key) };
  }

  async restrict(acting: Acting, id: string, change: Narrowing): Promise<ApiKeyItem> {
    const { actor } = acting;
    return this.ofKey(acting, id, async (manager, key) =>
      itemOf(await refusable(() => restrictKey(manager, key, change, actor))),
    );
  }

  async rotate(
    acting: Acting,
    id: string,
    { overlapHours, expiresAt }: ApiKeyRotation,
  ): Promise<IssuedApiKey> {
    const how = {
      overlapMs: overlapHours * HOUR_MS,
      ...(expiresAt !== undefined && { expiresAt: dateOf(expiresAt) }),
    };
    return this.ofKey(acting, id, (manager, key) =>
      issued(() => rotateKey(manager, this.tokens, key, how, acting.actor)),
    );
  }

  async revoke(acting: Acting, id: string): Promise<ApiKeyItem> {
    return this.ofKey(acting, id, async (manager, key) =>
      itemOf(await revokeKey(manager, key, acting.actor)),
    );
  }

  /** @throws ApiError 404 if the key does not exist */
  private ofKey<T>(
    { organizationId }: Acting,
    id: string,
    work: (manager: EntityManager, key: { organizationId: string; id: string }) => Promise<T>,
  ): Promise<T> {
    return this.within(organizationId, async (manager) => {
      const key = { organizationId, id };
      if (!(await manager.existsBy(ApiKey, key))) throw errors.notFound();
      return work(manager, key);
    });
  }

  private within<T>(organizationId: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.database.of(organizationId).transaction(work);
  }
}

const issued = async (work: () => Promise<IssuedKey>): Promise<IssuedApiKey> => {
  const { key, token } = await refusable(work);
  return { key: itemOf(key), token };
};

async function refusable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof KeyRefused ? errors.invalid(error.message) : error;
  }
}

/** Of a time as requests have it: also with a space in place of `+`, and without a zone. */
const dateOf = (text: string | null | undefined): Date | null =>
  text ? new Date(instantIn(text) as string) : null;

const itemOf = (key: ApiKey): ApiKeyItem => {
  const { id, name, kind, last4, eventOccurrenceIds, endpoints, readOnly, reads, partnerId } = key;
  const permissions = key.permissions as Permission[] | null;
  return {
    ...{ id, name, kind, last4, eventOccurrenceIds, endpoints },
    ...{ permissions, readOnly, reads, partnerId },
    createdAt: instantOf(key.createdAt),
    expiresAt: key.expiresAt ? instantOf(key.expiresAt) : null,
    revokedAt: key.revokedAt ? instantOf(key.revokedAt) : null,
    lastUsedAt: key.lastUsedAt ? instantOf(key.lastUsedAt) : null,
  };
};
