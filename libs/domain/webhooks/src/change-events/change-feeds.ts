import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, statement } from '#platform/database';
import { defineErrors } from '#platform/validation';

const REMEMBERED = 20_000;
const LOOK_EVERY_MS = 20;
const PATIENCE_MS = 5_000;

export const changeFeedErrors = defineErrors({
  notReady: () => [
    503,
    'Change events are being enabled for your organization. Try again in a few seconds.',
    { 'retry-after': '2' },
  ],
});

const BEGIN = statement({
  parameters: ['uuid'],
  sql: `
    INSERT INTO change_event_feeds (organization_id) VALUES ($1) ON CONFLICT DO NOTHING
  `,
  prepared: true,
});

const STATE = statement({
  parameters: ['uuid'],
  columns: { complete: 'boolean', now: 'text' },
  sql: `
    SELECT complete, clock_timestamp()::text AS now FROM change_event_feeds WHERE organization_id = $1
  `,
  prepared: true,
});

const PASSED = statement({
  parameters: ['timestamptz'],
  columns: { passed: 'boolean' },
  sql: `SELECT coalesce(horizon()::timestamptz > $1::timestamptz, false) AS passed`,
  prepared: true,
});

const COMPLETE = statement({
  parameters: ['uuid'],
  sql: `UPDATE change_event_feeds SET complete = true WHERE organization_id = $1`,
  prepared: true,
});

/**
 * Enables the change events of an organization. Triggers record a change if they see the row of the feed. A transaction
 * that wrote before the row was visible can commit without an event, so the feed is complete only after all such
 * transactions have ended. Every change is then either in the data that a client reads afterwards, or in the feed.
 */
@Injectable()
export class ChangeFeeds {
  private readonly complete = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(private readonly database: Database) {}

  /**
   * Resolves when every later change is recorded. Free after the first call.
   *
   * @throws ApiError 503 if another transaction stays open for too long
   */
  async switchOn(organizationId: string): Promise<void> {
    if (this.complete.has(organizationId)) return;
    let [feed] = await this.state(organizationId);
    if (!feed) {
      await BEGIN.run(this.database.pastQueue(organizationId), [organizationId]);
      [feed] = await this.state(organizationId);
    }
    if (!feed?.complete) {
      await this.untilPassed(organizationId, feed?.now as string);
      await COMPLETE.run(this.database.pastQueue(organizationId), [organizationId]);
    }
    this.complete.set(organizationId, true);
  }

  private state(organizationId: string): Promise<{ complete: boolean; now: string }[]> {
    return STATE.rows(this.database.pastQueue(organizationId), [organizationId]);
  }

  /** Waits until every transaction that had written by then has ended. */
  private async untilPassed(organizationId: string, moment: string): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const row = await PASSED.first(this.database.pastQueue(organizationId), [moment]);
      if (row?.passed) return;
      if (Date.now() > end) throw changeFeedErrors.notReady();
      await sleep(LOOK_EVERY_MS);
    }
  }
}
