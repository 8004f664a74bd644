import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger, Setting } from './ledger';
import type { Reply, Requests } from './requests';
import type { Target } from './target';

const ROWS = 10;
const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];
const person = () => ({ firstName: 'Ada', lastName: 'Lovelace', email: `${randomUUID()}@example.com` });

/** Clients that write and read until they are stopped. */
export class Clients {
  private stopped = false;
  private running: Promise<void>[] = [];
  private events = '';
  private readonly tried = new Set<string>();

  constructor(
    private readonly requests: Requests,
    private readonly ledger: Ledger,
    private readonly target: Target,
  ) {}

  start(): void {
    const { tracking, kits } = this.ledger;
    const loops: [() => Promise<void>, number][] = [
      [() => this.partner(), 40],
      [() => this.bookings(), 200],
      [() => this.credits(), 200],
      ...tracking.map((each): [() => Promise<void>, number] => [() => this.timing(each), 50]),
      ...kits.map((each): [() => Promise<void>, number] => [() => this.raceDay(each), 60]),
      [() => this.check(), 60],
      [() => this.staff(), 150],
      [() => this.follow(), 50],
    ];
    this.running = loops.map(async ([step, pauseMs]) => {
      while (!this.stopped) {
        await step();
        await sleep(pauseMs);
      }
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
  }

  /** The number of change events that were read. */
  get followed(): number {
    return this.ledger.events.size;
  }

  /** Reads the next page of change events. */
  async follow(): Promise<void> {
    const query = new URLSearchParams({
      'page[size]': '500',
      'sort[timestamp]': '1',
      ...(this.events && { 'page[after]': this.events }),
    });
    const reply = await this.requests.ask('change events', `/v0/change-events?${query}`);
    if (reply?.status !== 200 || reply.body.data.length === 0) return;
    let last = [...this.ledger.events.values()].at(-1) ?? '';
    for (const { id, timestamp } of reply.body.data) {
      if (timestamp < last) this.ledger.disorderedEvents += 1;
      last = timestamp;
      this.ledger.events.set(id, timestamp);
    }
    this.events = reply.body.page.last;
  }

  private async partner(): Promise<void> {
    const body = { name: 'Harbour Hospice', contacts };
    const reply = await this.requests.ask('partner created', '/v0/partners', { method: 'POST', body });
    if (reply?.status !== 200) return;
    const { id } = reply.body;
    this.ledger.partners.push(id);
    // By any API: 404 would be recorded as refused wrongly.
    const read = await this.requests.ask('partner read', `/v0/partners/${id}`);
    if (read && read.status !== 200 && read.status !== 503) this.ledger.unseenOwn += 1;
  }

  private async bookings(): Promise<void> {
    const { eventOccurrenceId, ticketId } = this.target;
    const rows = Array.from({ length: ROWS }, () => ({
      externalBookingId: randomUUID(),
      eventOccurrenceId,
      booker: person(),
      participants: [{ ticketId, ...person() }],
    }));
    if (await this.imported('bookings', rows))
      this.ledger.bookings.push(...rows.map(({ externalBookingId }) => externalBookingId));
  }

  private async credits(): Promise<void> {
    const rows = Array.from({ length: ROWS }, () => ({
      externalCreditId: randomUUID(),
      email: 'ada@example.com',
      amount: { value: 500, currencyCode: 'GBP' },
    }));
    if (await this.imported('credits', rows))
      this.ledger.credits.push(...rows.map(({ externalCreditId }) => externalCreditId));
  }

  /** Repeats the request with its Idempotency-Key until it succeeds, and once more. */
  private async imported(what: 'bookings' | 'credits', rows: object[]): Promise<boolean> {
    const key = randomUUID();
    const send = () =>
      this.requests.ask(`${what} imported`, `/v0/${what}/import`, {
        method: 'POST',
        body: { [what]: rows },
        headers: { 'idempotency-key': key },
      });
    let reply: Reply | undefined;
    for (let tries = 0; reply?.status !== 200; tries++) {
      if (tries > 0) await sleep(100);
      reply = await send();
      // Such a response is recorded as refused wrongly.
      if (reply && reply.status !== 200 && reply.status !== 503) return false;
    }
    this.ledger.jobs.set(key, reply.body.jobId);
    const again = await send();
    if (again?.status === 200 && again.body.jobId !== reply.body.jobId) this.ledger.doubledJobs += 1;
    return true;
  }

  private async timing(setting: Setting): Promise<void> {
    const trackingNumber = randomUUID();
    const reply = await this.requests.ask('timing', '/timing-inbound/v1', {
      method: 'POST',
      token: this.target.timingToken,
      body: {
        schemaVersion: '1.0',
        changedAt: new Date().toISOString(),
        data: {
          participantId: setting.participantId,
          shipping: { shippedAt: '2026-05-04T08:00:00Z', trackingNumber },
        },
      },
    });
    if (reply?.status === 200) this.ledger.parcels.push(trackingNumber);
    note(setting, trackingNumber, reply);
  }

  private async raceDay(setting: Setting): Promise<void> {
    const value = randomUUID();
    const body = { customFields: [{ id: 'kit', value }], changedAt: new Date().toISOString() };
    const path = `/v0/participants/${setting.participantId}/race-day`;
    note(setting, value, await this.requests.ask('race-day update', path, { method: 'PATCH', body }));
  }

  private async check(): Promise<void> {
    const path = `/v0/event-occurrences/${this.target.eventOccurrenceId}/registration-status`;
    await this.requests.ask('registration check', path, { method: 'POST', body: { email: person().email } });
  }

  /** Reads, and cancels one of the newest bookings. */
  private async staff(): Promise<void> {
    const { cookie, organizationId } = this.target.staff;
    const headers = { cookie, 'sec-fetch-site': 'same-origin', 'x-startline-organization': organizationId };
    const asked = { headers, token: '' };
    const list = await this.requests.ask('staff read', '/console/v1/participants?search=Lovelace', asked);
    if (list?.status !== 200) return;
    const newest = await this.requests.ask('participants read', '/v0/participants?sort%5BcreatedAt%5D=-1');
    const found = newest?.body?.data?.find(
      ({ bookingId, participantId }: { bookingId: string; participantId: string }) =>
        !this.tried.has(bookingId) && !this.target.participantIds.includes(participantId),
    );
    if (!found) return;
    this.tried.add(found.bookingId);
    const path = `/console/v1/bookings/${found.bookingId}/cancel`;
    const reply = await this.requests.ask('staff cancelled a booking', path, { ...asked, method: 'POST' });
    if (reply?.status === 200) this.ledger.cancelled.push(found.bookingId);
  }
}

function note(setting: Setting, value: string, reply: Reply | undefined): void {
  if (reply?.status === 200) {
    setting.kept = value;
    setting.inDoubt = [];
  } else setting.inDoubt.push(value);
}
