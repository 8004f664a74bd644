import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SETTINGS, type Settings } from '#libs/config';
import { Database, type StaffRole, statement, typed } from '#libs/database';
import { AccessChanges } from './access-changes';
import type { Caller } from './caller';
import type { Surface } from './surfaces';

const REMEMBERED = 5_000;
const LAST_SEEN_EVERY_MS = 60_000;

const CALLER = statement({
  parameters: ['uuid', 'bytea', 'int', 'int'],
  columns: {
    id: 'uuid',
    role: typed<StaffRole>('text'),
    endsInMs: 'float8',
    surfaces: typed<Surface[]>('text[]'),
  },
  sql: `
    SELECT m.id, m.role,
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

const TOUCH = statement({
  parameters: ['uuid', 'bytea'],
  sql: `
    UPDATE staff_sessions SET last_seen_at = clock_timestamp()
    WHERE organization_id = $1 AND secret_hash = $2 AND last_seen_at < clock_timestamp() - interval '1 minute'
  `,
  prepared: true,
});

interface Known {
  valid: Promise<{ caller: Caller; until: number } | undefined>;
  touchedAt: number;
}

/** Resolves a session cookie to its caller. Caches and invalidates in the same way as `Keys`. */
@Injectable()
export class StaffSessions {
  private readonly known: LRUCache<string, Known>;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
    changes: AccessChanges,
  ) {
    this.known = new LRUCache({ max: REMEMBERED, ttl: Math.max(1, settings.KEY_CACHE_MS) });
    changes.subscribe((organizationId) => this.forget(organizationId));
  }

  /** The caller, or undefined where the session is unknown, over, or of a member who was removed. */
  async callerOf(organizationId: string, secret: string): Promise<Caller | undefined> {
    const hash = createHash('sha256').update(secret).digest();
    const name = `${organizationId}/${hash.toString('base64')}`;
    let known = this.known.get(name);
    if (!known) {
      known = { valid: this.read(organizationId, hash), touchedAt: 0 };
      this.known.set(name, known);
      known.valid.catch(() => this.known.delete(name));
    }
    const valid = await known.valid;
    if (!valid || performance.now() >= valid.until) return undefined;
    this.touch(known, organizationId, hash);
    return valid.caller;
  }

  private async read(organizationId: string, hash: Buffer): ReturnType<() => Known['valid']> {
    const { STAFF_SESSION_HOURS, STAFF_IDLE_MINUTES } = this.settings;
    const row = await CALLER.first(this.database.pastQueue(organizationId), [
      organizationId,
      hash,
      STAFF_SESSION_HOURS,
      STAFF_IDLE_MINUTES,
    ]);
    if (!row || row.endsInMs <= 0) return undefined;
    const { id, role, endsInMs, surfaces } = row;
    return {
      caller: {
        organizationId,
        keyId: id,
        kind: 'STAFF',
        role,
        eventOccurrenceIds: null,
        endpoints: null,
        readOnly: false,
        names: false,
        surfaces: new Set(surfaces),
      },
      until: performance.now() + endsInMs,
    };
  }

  private touch(known: Known, organizationId: string, hash: Buffer): void {
    const now = Date.now();
    if (now - known.touchedAt < LAST_SEEN_EVERY_MS) return;
    known.touchedAt = now;
    // Not awaited: a request must not fail because of this update.
    TOUCH.run(this.database.pastQueue(organizationId), [organizationId, hash]).catch(() => {});
  }

  private forget(organizationId: string | undefined): void {
    for (const name of this.known.keys()) {
      if (!organizationId || name.startsWith(organizationId)) this.known.delete(name);
    }
  }
}
