import { setTimeout as sleep } from 'node:timers/promises';
import { bookingsBody } from '../fixtures/imports';
import { someMessages } from '../fixtures/race-day';
import type { Target } from './target';

/** Below the rate limit of imports. */
const EVERY_MS = 1_500;
const LOOK_MS = 200;
const PATIENCE_MS = 120_000;
const JSON_TYPE = { 'content-type': 'application/json' };
const CONTACT = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };

/** The longest waits of each kind of work in the worker, from when it was accepted to its outcome. */
export interface Waits {
  importMs: number;
  timingMs: number;
  webhookMs: number;
}

const UNFINISHED_WAITS: Waits = { importMs: Infinity, timingMs: Infinity, webhookMs: Infinity };

const UNFINISHED = `
  SELECT (SELECT count(*) FROM import_jobs WHERE organization_id = $1 AND finished_at IS NULL)
       + (SELECT count(*) FROM race_day_log WHERE organization_id = $1 AND applied_at IS NULL)
       + (SELECT count(*) FROM partners WHERE organization_id = $1)
       - (SELECT count(*) FROM webhook_deliveries WHERE organization_id = $1 AND state = 'DELIVERED') AS unfinished`;
const WAITS = `
  SELECT (SELECT coalesce(max(extract(epoch FROM finished_at - created_at)) * 1000, 0)::float8
          FROM import_jobs WHERE organization_id = $1 AND created_at >= $2) AS "importMs",
         (SELECT coalesce(max(extract(epoch FROM applied_at - received_at)) * 1000, 0)::float8
          FROM race_day_log WHERE organization_id = $1 AND received_at >= $2) AS "timingMs",
         (SELECT coalesce(max(extract(epoch FROM a.attempted_at - e.occurred_at)) * 1000, 0)::float8
          FROM change_events e JOIN webhook_deliveries d ON d.organization_id = $1 AND d.event_id = e.id
            JOIN webhook_attempts a ON a.organization_id = $1 AND a.delivery_id = d.id
          WHERE e.organization_id = $1 AND e.occurred_at >= $2) AS "webhookMs"`;

/**
 * Small imports, timing messages and webhook deliveries of the quiet organization. Their times are read from the database, so that they do not
 * include the wait of this process for a processor.
 */
export class QuietWork {
  private sent = 0;
  private refused = 0;
  private since = new Date();
  private timer: NodeJS.Timeout | undefined;
  private pending: Promise<void>[] = [];

  constructor(private readonly target: Target) {}

  begin(): void {
    this.since = new Date();
    this.refused = 0;
    this.pending = [];
    const send = () => this.pending.push(this.send());
    send();
    this.timer = setInterval(send, EVERY_MS);
  }

  /** Waits for the work. */
  async end(): Promise<Waits & { refused: number }> {
    clearInterval(this.timer);
    await Promise.all(this.pending);
    const { dataSource, quiet } = this.target;
    const { organizationId } = quiet.importing;
    const end = Date.now() + PATIENCE_MS;
    const unfinished = async () =>
      Number((await dataSource.query(UNFINISHED, [organizationId]))[0].unfinished);
    while ((await unfinished()) > 0) {
      if (Date.now() > end) return { ...UNFINISHED_WAITS, refused: this.refused };
      await sleep(LOOK_MS);
    }
    const [waits] = await dataSource.query(WAITS, [organizationId, this.since]);
    return { ...waits, refused: this.refused };
  }

  private async send(): Promise<void> {
    const { importing, day } = this.target.quiet;
    const n = this.sent++;
    const booking = bookingsBody(importing, 1).replace('"order-', `"quiet-${n}-`);
    await Promise.all([
      this.post('/v0/bookings/import', importing.headers, booking),
      this.post('/timing-inbound/v1', day.timing.headers, JSON.stringify(someMessages(day, 1, n))),
      this.post(
        '/v0/partners',
        importing.headers,
        JSON.stringify({ name: `Quiet ${n}`, contacts: [CONTACT] }),
      ),
    ]);
  }

  private async post(path: string, headers: Record<string, string>, body: string): Promise<void> {
    const answer = await fetch(this.target.api.url + path, {
      method: 'POST',
      headers: { ...headers, ...JSON_TYPE },
      body,
    }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => {});
    if (!answer?.ok) this.refused += 1;
  }
}
