import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { inRounds } from '#libs/fair-share';

/** Events per transaction, so that pollers do not wait for long. */
const BATCH = 2_000;

const WATERMARK = statement({
  columns: { at: 'text?' },
  sql: `SELECT horizon() AS at`,
});

const WAITING = statement({
  parameters: ['timestamptz'],
  columns: { organizationId: 'uuid' },
  sql: 'SELECT id AS "organizationId" FROM organizations_with_new_events($1) id',
});

const LOCK_FEED = statement({
  parameters: ['uuid'],
  columns: { at: 'text', id: 'uuid' },
  sql: `
    SELECT fanned_out_at::text AS at, fanned_out_id AS id FROM change_event_feeds
    WHERE organization_id = $1 FOR NO KEY UPDATE SKIP LOCKED
  `,
});

/** The delivery of a ping is created with the event. */
const FAN_OUT = statement({
  parameters: ['uuid', 'timestamptz', 'uuid', 'timestamptz'],
  columns: { done: 'boolean', endpointIds: 'uuid[]' },
  sql: `
    WITH fresh AS MATERIALIZED (
      SELECT id, type, occurred_at, event_occurrence_id FROM change_events
      WHERE organization_id = $1 AND (occurred_at, id) > ($2::timestamptz, $3::uuid) AND occurred_at < $4::timestamptz
      ORDER BY occurred_at, id LIMIT ${BATCH}
    ), made AS (
      INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, type, next_attempt_at)
      SELECT $1, uuid_v7(), w.id, f.id, f.type, clock_timestamp()
      FROM fresh f JOIN webhook_endpoints w ON w.organization_id = $1 AND f.type = ANY (w.types)
        AND (w.event_occurrence_ids IS NULL OR f.event_occurrence_id = ANY (w.event_occurrence_ids))
      WHERE w.disabled_at IS NULL AND w.deleted_at IS NULL AND f.type <> 'webhook_endpoint.ping'
      RETURNING endpoint_id
    ), position AS (
      SELECT count(*) < ${BATCH} AS done, max(occurred_at) AS at, (array_agg(id ORDER BY occurred_at DESC, id DESC))[1] AS id
      FROM fresh
    ), moved AS (
      UPDATE change_event_feeds f SET
        fanned_out_at = CASE WHEN p.done THEN $4::timestamptz ELSE p.at END,
        fanned_out_id = CASE WHEN p.done THEN '00000000-0000-0000-0000-000000000000' ELSE p.id END
      -- A transaction that began before another moved the position reads an earlier watermark.
      FROM position p WHERE f.organization_id = $1 AND (NOT p.done OR $4::timestamptz > f.fanned_out_at)
    )
    SELECT (SELECT done FROM position) AS done, array(SELECT DISTINCT endpoint_id FROM made) AS "endpointIds"
  `,
});

/**
 * Creates a delivery of each event for each endpoint that subscribed to it. The feed row of an organization contains the
 * position: a transaction locks it, creates the deliveries up to the watermark, and advances it. So each event is delivered
 * to each endpoint once, even if a process is killed. Organizations take turns, a transaction at a time.
 */
@Injectable()
export class FanOut {
  constructor(private readonly database: Database) {}

  /** @param made called for each endpoint with new deliveries */
  async run(made: (organizationId: string, endpointId: string) => void): Promise<void> {
    await inRounds(
      () => this.waiting(),
      async ({ organizationId }) => {
        const { done, endpointIds } = await this.batch(organizationId);
        for (const endpointId of endpointIds) made(organizationId, endpointId);
        return !done;
      },
    );
  }

  private waiting(): Promise<{ organizationId: string }[]> {
    return this.database.everywhere(async (on) => {
      const { at: watermark } = await WATERMARK.one(on);
      return watermark ? WAITING.rows(on, [watermark]) : [];
    });
  }

  /** Reads the watermark before the events, because no events appear below it afterwards. */
  private batch(organizationId: string): Promise<{ done: boolean; endpointIds: string[] }> {
    return this.database.of(organizationId).transaction(async (manager) => {
      const nothing = { done: true, endpointIds: [] };
      const position = await LOCK_FEED.first(manager, [organizationId]);
      if (!position) return nothing;
      const { at: watermark } = await WATERMARK.one(manager);
      if (!watermark) return nothing;
      return FAN_OUT.one(manager, [organizationId, position.at, position.id, watermark]);
    });
  }
}
