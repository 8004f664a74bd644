import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, type StaffRole, statement, typed } from '#platform/database';
import { AccessChanges } from './access-changes';
import type { Caller } from './caller';
import { CallerCache, type ValidCaller } from './caller-cache';
import { PARTNER } from './calling-partner';
import type { Surface } from './surfaces';

const REMEMBERED = 5_000;

const CALLER = statement({
  parameters: ['uuid', 'bytea', 'int', 'int'],
  columns: {
    id: 'uuid',
    role: typed<StaffRole>('text'),
    partnerId: 'uuid?',
    endsInMs: 'float8',
    sandbox: 'boolean',
    surfaces: typed<Surface[]>('text[]'),
  },
  sql: `
    SELECT m.id, m.role, o.sandbox, m.partner_id AS "partnerId",
      (extract(epoch FROM least(
        s.created_at + make_interval(hours => $3), s.last_seen_at + make_interval(mins => $4)
      ) - clock_timestamp()) * 1000)::float8 AS "endsInMs",
      array(SELECT surface FROM organization_surfaces x WHERE x.organization_id = s.organization_id) AS surfaces
    FROM staff_sessions s
    JOIN staff_members m ON m.organization_id = s.organization_id AND m.id = s.member_id
    JOIN organizations o ON o.id = s.organization_id
    WHERE s.organization_id = $1 AND s.secret_hash = $2 AND m.removed_at IS NULL AND o.deleted_at IS NULL
  `,
  prepared: true,
});

/** Seldom enough to be cheap, and often enough for a short idle time. */
const TOUCH = statement({
  parameters: ['uuid', 'bytea', 'int'],
  sql: `
    UPDATE staff_sessions SET last_seen_at = clock_timestamp()
    WHERE organization_id = $1 AND secret_hash = $2
      AND last_seen_at < clock_timestamp() - least(interval '1 minute', make_interval(mins => $3) / 4)
  `,
  prepared: true,
});

/** Resolves a session cookie to its caller. */
@Injectable()
export class StaffSessions {
  private readonly callers: CallerCache;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
    changes: AccessChanges,
  ) {
    this.callers = new CallerCache(REMEMBERED, changes);
  }

  /** The caller, or undefined if the session is unknown or expired, or its member was removed. */
  async callerOf(organizationId: string, secret: string): Promise<Caller | undefined> {
    const hash = createHash('sha256').update(secret).digest();
    return this.callers.callerOf(`${organizationId}/${hash.toString('base64')}`, {
      read: () => this.read(organizationId, hash),
      touch: () =>
        TOUCH.run(this.database.pastQueue(organizationId), [
          organizationId,
          hash,
          this.settings.STAFF_IDLE_MINUTES,
        ]),
    });
  }

  /** Call it after sessions ended, so that this process does not wait for the announcement of the change. */
  forget(organizationId: string): void {
    this.callers.forget(organizationId);
  }

  private async read(organizationId: string, hash: Buffer): Promise<ValidCaller | undefined> {
    const { STAFF_SESSION_HOURS, STAFF_IDLE_MINUTES } = this.settings;
    const on = this.database.pastQueue(organizationId);
    const row = await CALLER.first(on, [organizationId, hash, STAFF_SESSION_HOURS, STAFF_IDLE_MINUTES]);
    if (!row || row.endsInMs <= 0) return undefined;
    const { id, role, sandbox, partnerId, endsInMs, surfaces } = row;
    const partner = partnerId ? await PARTNER.first(on, [organizationId, partnerId]) : null;
    if (partner === undefined) return undefined;
    return {
      caller: {
        organizationId,
        keyId: id,
        kind: 'STAFF',
        role,
        eventOccurrenceIds: null,
        endpoints: null,
        permissions: null,
        partner,
        readOnly: false,
        reads: [],
        sandbox,
        surfaces: new Set(surfaces),
      },
      until: performance.now() + endsInMs,
    };
  }
}
