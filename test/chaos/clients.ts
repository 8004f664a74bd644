import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { cancelJob, DISCARDED } from '#domain/imports';
import { check, type Ledger, type Setting } from './ledger';
import { Readers } from './readers';
import type { Loop, Reply, Requests } from './requests';
import { Staff } from './staff';
import { CANCELLABLE, type Target } from './target';

const ROWS = 10;
/** One import in so many is discarded. */
const DISCARD = 5;
/** More than faults explain. */
const TRIES = 500;
/** More participants than bibs, so that some claim the same. */
const BIBS = 2;
const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];

const person = (lastName: string) => ({ firstName: 'Ada', lastName, email: `${randomUUID()}@example.com` });

/** Clients that write and read until they are stopped. */
export class Clients {
  private stopped = false;
  private running: Promise<void>[] = [];
  private credited = 0;
  private readonly readers: Readers;

  constructor(
    private readonly requests: Requests,
    private readonly ledger: Ledger,
    private readonly target: Target,
  ) {
    this.readers = new Readers(requests, ledger, target);
  }

  start(): void {
    const { tracking, kits } = this.ledger;
    const staff = new Staff(this.requests, this.ledger, this.target, () => this.bookings('Hopper'));
    const loops: Loop[] = [
      [() => this.partner(), 40],
      [() => this.cancellable(), 800],
      [() => this.credits(), 800],
      [() => this.discounted(), 1_500],
      [() => this.discounted(), 1_500],
      ...tracking.map((each): Loop => [() => this.timing(each), 50]),
      ...kits.map((each): Loop => [() => this.raceDay(each), 60]),
      [() => this.check(), 60],
      ...staff.loops,
      ...this.readers.loops,
    ];
    this.running = loops.map(async ([step, pauseMs]) => {
      while (!this.stopped) {
        await step();
        await sleep(pauseMs);
      }
    });
    // `stop` reports it.
    for (const each of this.running) each.catch(() => {});
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
  }

  /** Reads the next page of change events. @returns how many have been read */
  async follow(): Promise<number> {
    await this.readers.follow();
    return this.ledger.events.size;
  }

  private async partner(): Promise<void> {
    const list = await this.readers.newest();
    const body = { name: 'Harbour Hospice', contacts };
    const reply = await this.requests.ask('partner created', '/v0/partners', { method: 'POST', body });
    if (!reply) return;
    const { id } = reply.body;
    this.ledger.partners.push(id);
    const expected = [200, 404];
    const read = await this.requests.ask('partner read', `/v0/partners/${id}`, { expected });
    if (read) check(this.ledger.ownReads, read.status === 200);
    const after = list && (await this.readers.newest(list.etag));
    if (after) check(this.ledger.listTags, after.ids.includes(id));
  }

  private async cancellable(): Promise<void> {
    this.ledger.bookings.push(...(await this.bookings(CANCELLABLE)).externalIds);
  }

  /** Concurrent imports for the last uses of a code. */
  private async discounted(): Promise<void> {
    const { externalIds } = await this.bookings('Hopper', 3, { discountCode: this.target.discountCode });
    this.ledger.discounted.push(...externalIds);
  }

  private async bookings(
    lastName: string,
    count = ROWS,
    more: object = {},
  ): Promise<{ jobId: string; externalIds: string[] }> {
    const { eventOccurrenceId, ticketId } = this.target;
    const bookings = Array.from({ length: count }, () => ({
      externalBookingId: `${lastName}-${randomUUID()}`,
      eventOccurrenceId,
      booker: person(lastName),
      participants: [{ ticketId, ...person(lastName) }],
      ...more,
    }));
    const jobId = await this.imported('bookings', bookings);
    return { jobId, externalIds: bookings.map(({ externalBookingId }) => externalBookingId) };
  }

  private async credits(): Promise<void> {
    const credits = Array.from({ length: ROWS }, () => ({
      externalCreditId: randomUUID(),
      email: 'ada@example.com',
      amount: { value: 500, currencyCode: 'GBP' },
    }));
    const jobId = await this.imported('credits', credits);
    const { discarded, credits: kept } = this.ledger;
    const isDiscarded = this.credited++ % DISCARD === 0;
    (isDiscarded ? discarded : kept).push(...credits.map(({ externalCreditId }) => externalCreditId));
    if (!isDiscarded) return;
    const { dataSource, organizationId } = this.target;
    // As `import discard` does. A failure leaves the job as it is.
    await cancelJob(dataSource.manager, { organizationId, jobId }, DISCARDED).catch(() => {});
  }

  /** Repeats the request with its Idempotency-Key until it succeeds; then once more, and once with another body. */
  private async imported(what: 'bookings' | 'credits', rows: object[]): Promise<string> {
    const headers = { 'idempotency-key': randomUUID() };
    const path = `/v0/${what}/import`;
    const send = (): Promise<Reply | undefined> =>
      this.requests.ask(`${what} imported`, path, { method: 'POST', body: { [what]: rows }, headers });
    let reply = await send();
    for (let tries = 0; !reply; tries++) {
      if (tries === TRIES) throw new Error(`An import of ${what} is refused again and again`);
      await sleep(100);
      reply = await send();
    }
    const { jobId } = reply.body;
    this.ledger.jobs.set(headers['idempotency-key'], jobId);
    const again = await send();
    if (again) check(this.ledger.repeats, again.body.jobId === jobId);
    const body = { [what]: rows.slice(1) };
    await this.requests.ask('key used again', path, { method: 'POST', body, headers, expected: [400] });
    return jobId;
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
          bibNumber: String(randomInt(BIBS)),
          shipping: { shippedAt: '2026-05-04T08:00:00Z', trackingNumber },
        },
      },
    });
    if (reply) this.ledger.parcels.push(trackingNumber);
    note(setting, trackingNumber, reply);
  }

  /** Twice with the same Idempotency-Key. */
  private async raceDay(setting: Setting): Promise<void> {
    const value = randomUUID();
    const asked = {
      method: 'PATCH',
      body: { customFields: [{ id: 'kit', value }], changedAt: new Date().toISOString() },
      headers: { 'idempotency-key': value },
    };
    const path = `/v0/participants/${setting.participantId}/race-day`;
    const first = await this.requests.ask('race-day update', path, asked);
    note(setting, value, (await this.requests.ask('race-day update', path, asked)) ?? first);
  }

  private async check(): Promise<void> {
    const path = `/v0/event-occurrences/${this.target.eventOccurrenceId}/registration-status`;
    await this.requests.ask('registration check', path, {
      method: 'POST',
      body: { email: person('Lovelace').email },
    });
  }
}

function note(setting: Setting, value: string, reply: Reply | undefined): void {
  if (reply) {
    setting.kept = value;
    setting.inDoubt = [];
  } else setting.inDoubt.push(value);
}
