import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, NIL_ID, statement } from '#platform/database';
import { inRounds } from '#platform/scheduling';
import { isReadable, keyIsValid } from './change-events/event-permissions';
import { LIVE, pendingOf } from './pending';

/** Deliveries per transaction, so that other organizations and pollers do not wait for long. */
const BATCH = 1_000;
/** The pause after no endpoint had room for the events that it is behind. */
const LOOK_EVERY_MS = 2_000;

/** `null` while it is unknown: `horizon()` of the schema says when. */
export const WATERMARK = statement({
  columns: { at: 'text?' },
  sql: `SELECT horizon() AS at`,
});

const WAITING = statement({
  parameters: ['timestamptz'],
  columns: { organizationId: 'uuid' },
  sql: 'SELECT id AS "organizationId" FROM organizations_with_new_events($1) id',
});

const BEHIND = statement({
  parameters: ['int'],
  columns: { organizationId: 'uuid', endpointId: 'uuid' },
  sql: 'SELECT organization_id AS "organizationId", endpoint_id AS "endpointId" FROM webhook_endpoints_behind($1)',
});

const LOCK_FEED = statement({
  parameters: ['uuid'],
  columns: { at: 'text', id: 'uuid', endpoints: 'int' },
  sql: `
    SELECT fanned_out_at::text AS at, fanned_out_id AS id,
      (SELECT count(*)::int FROM webhook_endpoints w WHERE w.organization_id = $1 AND ${LIVE} AND w.behind_at IS NULL) AS endpoints
    FROM change_event_feeds
    WHERE organization_id = $1 FOR NO KEY UPDATE SKIP LOCKED
  `,
});

/** Events and the endpoints that subscribed to them and may get them. The delivery of a ping is created with the event. */
const subscribed = (endpoints: string): string => `
  FROM fresh f JOIN ${endpoints} w ON w.organization_id = $1 AND f.type = ANY (w.types)
    AND (w.event_occurrence_ids IS NULL OR f.event_occurrence_id = ANY (w.event_occurrence_ids))
  LEFT JOIN api_keys k ON k.organization_id = w.organization_id AND k.id = w.api_key_id
  WHERE f.type <> 'webhook_endpoint.ping'
    AND (k.permissions IS NULL OR ${keyIsValid('k')} AND ${isReadable('f', 'k.permissions', 'k.id')})`;
/** What the conditions on an event read. */
const EVENT = 'organization_id, id, type, subject_id, occurred_at, event_occurrence_id, data';
const DELIVERY = 'organization_id, id, endpoint_id, event_id, type, next_attempt_at';

/** An endpoint without room for its deliveries of these events gets none of them, and keeps the former position as its own. */
const FAN_OUT = statement({
  parameters: ['uuid', 'timestamptz', 'uuid', 'timestamptz', 'bigint', 'bigint'],
  columns: { done: 'boolean', endpointIds: 'uuid[]' },
  sql: `
    WITH fresh AS MATERIALIZED (
      SELECT ${EVENT} FROM change_events
      WHERE organization_id = $1 AND (occurred_at, id) > ($2::timestamptz, $3::uuid) AND occurred_at < $4::timestamptz
      ORDER BY occurred_at, id LIMIT $5
    ), wanted AS MATERIALIZED (
      SELECT w.id AS endpoint_id, f.id AS event_id, f.type
      ${subscribed('webhook_endpoints')} AND ${LIVE} AND w.behind_at IS NULL
    ), crowded AS MATERIALIZED (
      SELECT n.id FROM (SELECT endpoint_id AS id, count(*) AS events FROM wanted GROUP BY endpoint_id) n
      WHERE n.events + ${pendingOf('$1', 'n.id', '$6')} > $6
    ), behind AS (
      UPDATE webhook_endpoints w SET behind_at = $2::timestamptz, behind_id = $3::uuid
      FROM crowded c WHERE w.organization_id = $1 AND w.id = c.id
    ), made AS (
      INSERT INTO webhook_deliveries (${DELIVERY})
      SELECT $1, uuid_v7(), endpoint_id, event_id, type, clock_timestamp() FROM wanted
      WHERE endpoint_id NOT IN (SELECT id FROM crowded)
      RETURNING endpoint_id
    ), position AS (
      SELECT count(*) < $5 AS done, max(occurred_at) AS at, (array_agg(id ORDER BY occurred_at DESC, id DESC))[1] AS id
      FROM fresh
    ), moved AS (
      UPDATE change_event_feeds f SET
        fanned_out_at = CASE WHEN p.done THEN $4::timestamptz ELSE p.at END,
        fanned_out_id = CASE WHEN p.done THEN '${NIL_ID}' ELSE p.id END
      -- A transaction that began before another moved the position reads an earlier watermark.
      FROM position p WHERE f.organization_id = $1 AND (NOT p.done OR $4::timestamptz > f.fanned_out_at)
    )
    SELECT (SELECT done FROM position) AS done, array(SELECT DISTINCT endpoint_id FROM made) AS "endpointIds"
  `,
});

/** Up to the position of the organization ($3, $4). $6: the most pending deliveries that leave room. */
const CATCH_UP = statement({
  parameters: ['uuid', 'uuid', 'timestamptz', 'uuid', 'bigint', 'int', 'int'],
  columns: { done: 'boolean', endpointIds: 'uuid[]' },
  sql: `
    WITH target AS MATERIALIZED (
      SELECT w.* FROM webhook_endpoints w
      WHERE w.organization_id = $1 AND w.id = $2 AND ${LIVE} AND w.behind_at IS NOT NULL
        AND ${pendingOf('$1', '$2', '$6 + 1')} <= $6
    ), fresh AS MATERIALIZED (
      SELECT e.* FROM target w CROSS JOIN LATERAL (
        SELECT ${EVENT} FROM change_events
        WHERE organization_id = $1 AND (occurred_at, id) > (w.behind_at, w.behind_id)
          AND (occurred_at, id) <= ($3::timestamptz, $4::uuid)
        ORDER BY occurred_at, id LIMIT $5
      ) e
    ), made AS (
      INSERT INTO webhook_deliveries (${DELIVERY})
      SELECT $1, uuid_v7(), w.id, f.id, f.type, clock_timestamp() ${subscribed('target')}
      RETURNING endpoint_id
    ), position AS (
      SELECT count(*) < $5 AS done, max(occurred_at) AS at, (array_agg(id ORDER BY occurred_at DESC, id DESC))[1] AS id
      FROM fresh
    ), kept AS (
      SELECT statement_timestamp() - make_interval(days => $7) AS since
    ), moved AS (
      UPDATE webhook_endpoints w SET
        behind_at = CASE WHEN NOT p.done THEN p.at END,
        behind_id = CASE WHEN NOT p.done THEN p.id END,
        missed_until = CASE WHEN t.behind_at < kept.since THEN kept.since ELSE w.missed_until END
      FROM target t, position p, kept WHERE w.organization_id = $1 AND w.id = t.id
      RETURNING w.behind_at
    )
    SELECT NOT EXISTS (SELECT FROM moved WHERE behind_at IS NOT NULL) AS done,
      array(SELECT DISTINCT endpoint_id FROM made) AS "endpointIds"
  `,
});

interface Work {
  organizationId: string;
  /** Whether it has events after its position. */
  hasNew: boolean;
  /** An endpoint that is behind and has room for deliveries. */
  behindId?: string;
}

interface Made {
  done: boolean;
  endpointIds: string[];
}

/** If another process has the feed, it has the work. */
const NOTHING: Made = { done: true, endpointIds: [] };

/**
 * Creates a delivery of each event for each endpoint that subscribed to it. The feed row of an organization contains the
 * position: a transaction locks it, creates the deliveries up to the watermark, and advances it. So each event is delivered
 * to each endpoint once, even if a process is killed. Organizations take turns, a transaction at a time.
 *
 * An endpoint has at most WEBHOOK_BACKLOG_LIMIT pending deliveries. At the limit it keeps a position of its own, and goes on
 * from there when there is room, until it has reached that of the organization. The other endpoints do not wait for it.
 */
@Injectable()
export class FanOut {
  private readonly limit: number;
  /** Events of a step of an endpoint that is behind: room for a step comes before all deliveries have ended. */
  private readonly step: number;
  private readonly keptDays: number;
  /** When to look again for endpoints that are behind, on the clock of the process. */
  private lookAt = 0;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) settings: Pick<Settings, 'WEBHOOK_BACKLOG_LIMIT' | 'CHANGE_EVENT_DAYS'>,
  ) {
    this.limit = settings.WEBHOOK_BACKLOG_LIMIT;
    this.step = Math.min(BATCH, Math.ceil(this.limit / 2));
    this.keptDays = settings.CHANGE_EVENT_DAYS;
  }

  /**
   * @param made called for each endpoint with new deliveries
   * @param isStopped no further transaction begins if it is true
   */
  async run(
    made: (organizationId: string, endpointId: string) => void,
    isStopped = () => false,
  ): Promise<void> {
    await inRounds(
      () => this.waiting(),
      async ({ organizationId, hasNew, behindId }) => {
        /** @returns whether there is more to make */
        const announce = ({ done, endpointIds }: Made) => {
          for (const endpointId of endpointIds) made(organizationId, endpointId);
          return !done;
        };
        const moreNew = hasNew && announce(await this.forward(organizationId));
        const moreBehind = behindId !== undefined && announce(await this.catchUp(organizationId, behindId));
        return moreNew || moreBehind;
      },
      isStopped,
      ({ organizationId }) => organizationId,
    );
  }

  private async waiting(): Promise<Work[]> {
    const fresh = await this.database.everywhere(async (on) => {
      const { at: watermark } = await WATERMARK.one(on);
      return watermark ? WAITING.rows(on, [watermark]) : [];
    });
    const work = new Map<string, Work>();
    for (const { organizationId } of fresh) work.set(organizationId, { organizationId, hasNew: true });
    for (const { organizationId, endpointId: behindId } of await this.behind())
      work.set(organizationId, { organizationId, hasNew: work.has(organizationId), behindId });
    return [...work.values()];
  }

  /** Of each organization the endpoint that is furthest behind and has room. Looks less often than for new events, because it counts. */
  private async behind(): Promise<{ organizationId: string; endpointId: string }[]> {
    if (performance.now() < this.lookAt) return [];
    const found = await this.database.everywhere((on) => BEHIND.rows(on, [this.limit - this.step]));
    this.lookAt = found.length > 0 ? 0 : performance.now() + LOOK_EVERY_MS;
    return found;
  }

  /** Reads the watermark before the events, because no events appear below it afterwards. */
  private forward(organizationId: string): Promise<Made> {
    return this.database.of(organizationId).transaction(async (manager) => {
      const position = await LOCK_FEED.first(manager, [organizationId]);
      if (!position) return NOTHING;
      const { at: watermark } = await WATERMARK.one(manager);
      if (!watermark) return NOTHING;
      const { at, id, endpoints } = position;
      const events = Math.min(this.limit, Math.ceil(BATCH / Math.max(1, endpoints)));
      return FAN_OUT.one(manager, [organizationId, at, id, watermark, events, this.limit]);
    });
  }

  private catchUp(organizationId: string, endpointId: string): Promise<Made> {
    return this.database.of(organizationId).transaction(async (manager) => {
      const position = await LOCK_FEED.first(manager, [organizationId]);
      if (!position) return NOTHING;
      const { at, id } = position;
      const room = this.limit - this.step;
      return CATCH_UP.one(manager, [organizationId, endpointId, at, id, this.step, room, this.keptDays]);
    });
  }
}
