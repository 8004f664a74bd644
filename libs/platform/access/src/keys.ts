import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, statement, typed } from '#platform/database';
import { AccessChanges } from './access-changes';
import type { Caller } from './caller';
import { CallerCache, type ValidCaller } from './caller-cache';
import { PARTNER } from './calling-partner';
import type { Permission } from './permissions';
import type { Surface } from './surfaces';
import { type KeyClaims, Tokens } from './tokens';

const REMEMBERED = 20_000;

const CALLER = statement({
  parameters: ['uuid', 'uuid', 'text'],
  columns: {
    eventOccurrenceIds: 'uuid[]?',
    endpoints: 'text[]?',
    permissions: typed<Permission[] | null>('text[]?'),
    partnerId: 'uuid?',
    readOnly: 'boolean',
    reads: 'text[]',
    expiresInMs: 'float8?',
    expiresAt: 'text?',
    sandbox: 'boolean',
    surfaces: typed<Surface[]>('text[]'),
  },
  sql: `
    SELECT k.event_occurrence_ids AS "eventOccurrenceIds", k.permissions, o.sandbox, k.read_only AS "readOnly",
      k.endpoints,
      k.partner_id AS "partnerId",
      coalesce(k.reads, '{}') AS reads,
      (extract(epoch FROM k.expires_at - clock_timestamp()) * 1000)::float8 AS "expiresInMs",
      to_char(k.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "expiresAt",
      array(SELECT surface FROM organization_surfaces s WHERE s.organization_id = k.organization_id) AS surfaces
    FROM api_keys k JOIN organizations o ON o.id = k.organization_id
    WHERE k.organization_id = $1 AND k.id = $2 AND k.kind = $3 AND k.revoked_at IS NULL AND o.deleted_at IS NULL
  `,
  prepared: true,
});

const TOUCH = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    UPDATE api_keys SET last_used_at = clock_timestamp()
    WHERE organization_id = $1 AND id = $2
      AND (last_used_at IS NULL OR last_used_at < clock_timestamp() - interval '1 minute')
  `,
  prepared: true,
});

/**
 * Resolves a bearer token to its caller. The signature of a token is verified once. The state of its key is cached for
 * at most half a minute and invalidated when the database announces a change, so that a revocation or a restriction
 * takes effect within a second, and within a minute even if announcements are lost.
 */
@Injectable()
export class Keys {
  private readonly tokens: Tokens;
  private readonly claims = new LRUCache<string, KeyClaims>({ max: REMEMBERED });
  private readonly callers: CallerCache;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) settings: Settings,
    changes: AccessChanges,
  ) {
    this.tokens = new Tokens(settings.SIGNING_SECRETS);
    this.callers = new CallerCache(REMEMBERED, changes);
  }

  /**
   * The caller, or `undefined` if the token is invalid, revoked, or of a closed organization.
   *
   * @throws ApiError 401 that names the time, if the key has expired: the token's signature is valid, so its holder may know
   */
  async callerOf(token: string): Promise<Caller | undefined> {
    const claims = this.claimsOf(token);
    if (!claims) return undefined;
    const { sub, jti, kind } = claims;
    return this.callers.callerOf(`${sub}/${jti}/${kind}`, {
      read: () => this.read(claims),
      touch: () => TOUCH.run(this.database.pastQueue(sub), [sub, jti]),
    });
  }

  private claimsOf(token: string): KeyClaims | undefined {
    const name = hash('sha256', token, 'base64');
    const remembered = this.claims.get(name);
    if (remembered) return remembered;
    const claims = this.tokens.verify(token);
    if (claims) this.claims.set(name, claims);
    return claims;
  }

  private async read({ sub, jti, kind }: KeyClaims): Promise<ValidCaller | undefined> {
    const on = this.database.pastQueue(sub);
    const row = await CALLER.first(on, [sub, jti, kind]);
    if (!row) return undefined;
    const { expiresInMs, expiresAt, surfaces, partnerId, ...limits } = row;
    const partner = partnerId === null ? null : await PARTNER.first(on, [sub, partnerId]);
    // Partners are never deleted; a key whose partner is unknown is no key of the organizer.
    if (partner === undefined) return undefined;
    return {
      caller: {
        ...limits,
        organizationId: sub,
        keyId: jti,
        kind,
        role: null,
        partner,
        surfaces: new Set(surfaces),
      },
      until: performance.now() + (expiresInMs ?? Number.POSITIVE_INFINITY),
      expiresAt,
    };
  }
}
