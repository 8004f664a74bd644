import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Target {
  url: string;
  token: string;
  timingToken: string;
  marketplaceToken: string;
  occurrenceId: string;
  ticketId: string;
  participantIds: string[];
}

interface Sort {
  name: string;
  /** Requests of this kind arrive at this rate, independent of responses. */
  everyMs: number;
  ask(target: Target): Promise<Response>;
}

const one = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;

const get = ({ url, token }: Target, path: string, as = token) =>
  fetch(url + path, { headers: { authorization: `Bearer ${as}` } });

const send = ({ url, token }: Target, path: string, body: object, as = token, method = 'POST') =>
  fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const email = () => `runner-${Math.floor(Math.random() * 5_000)}@example.com`;
const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];

/** A sale, its start list, its partners and its race day, concurrently. */
const SORTS: Sort[] = [
  {
    name: 'list of 100 participants',
    everyMs: 250,
    ask: (target) => get(target, '/v0/participants?sort%5BupdatedAt%5D=-1&page%5Bsize%5D=100'),
  },
  {
    name: 'list of 100 applications',
    everyMs: 400,
    ask: (target) => get(target, '/v0/applications?page%5Bsize%5D=100'),
  },
  {
    name: 'participant',
    everyMs: 30,
    ask: (target) => get(target, `/v0/participants/${one(target.participantIds)}`),
  },
  {
    name: 'occurrence',
    everyMs: 100,
    ask: (target) => get(target, `/v0/event-occurrences/${target.occurrenceId}`),
  },
  {
    name: 'marketplace',
    everyMs: 200,
    ask: (target) => get(target, '/marketplace/v1/events/', target.marketplaceToken),
  },
  {
    name: 'registration check',
    everyMs: 50,
    ask: (target) =>
      send(target, `/v0/event-occurrences/${target.occurrenceId}/registration-status`, { email: email() }),
  },
  {
    name: 'timing, 50 messages',
    everyMs: 500,
    ask: (target) =>
      send(
        target,
        '/timing-inbound/v1',
        Array.from({ length: 50 }, () => ({
          schemaVersion: '1.0',
          changedAt: new Date().toISOString(),
          data: {
            participantId: one(target.participantIds),
            shipping: { shippedAt: new Date().toISOString(), trackingNumber: randomUUID() },
          },
        })),
        target.timingToken,
      ),
  },
  {
    name: 'race-day update',
    everyMs: 500,
    ask: (target) =>
      send(
        target,
        `/v0/participants/${one(target.participantIds)}/race-day`,
        { customFields: [{ id: 'shirt', value: one(['S', 'M', 'L']) }] },
        target.token,
        'PATCH',
      ),
  },
  {
    name: 'partner created',
    everyMs: 1_000,
    ask: (target) => send(target, '/v0/partners', { name: 'Harbour Hospice', contacts }),
  },
  {
    name: 'import of 200 bookings',
    everyMs: 5_000,
    ask: (target) => {
      const bookings = Array.from({ length: 200 }, () => {
        const person = { firstName: 'Ada', lastName: 'Lovelace', email: email() };
        return {
          externalBookingId: randomUUID(),
          eventOccurrenceId: target.occurrenceId,
          booker: person,
          participants: [{ ticketId: target.ticketId, ...person }],
        };
      });
      return send(target, '/v0/bookings/import', { bookings });
    },
  },
  {
    name: 'import of 2 MB',
    everyMs: 45_000,
    ask: (target) => {
      const credits = Array.from({ length: 10_000 }, () => ({
        externalCreditId: randomUUID(),
        email: email(),
        amount: { value: 500, currencyCode: 'GBP' },
        reason: 'Cancelled swim, refunded as credit for the next one, as it was announced',
      }));
      return send(target, '/v0/credits/import', { credits });
    },
  },
  { name: 'refused key', everyMs: 500, ask: (target) => get(target, '/identity', `${target.token}x`) },
  { name: 'refused query', everyMs: 500, ask: (target) => get(target, '/v0/partners?nonsense=1') },
];

/** The expected statuses of invalid requests. */
const REFUSED: Record<string, number> = { 'refused key': 401, 'refused query': 400 };

/** Sends mixed requests until it is stopped. */
export class Traffic {
  readonly errors: string[] = [];
  readonly answered: Record<string, number> = {};
  private times: number[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private stopped = false;

  constructor(private readonly target: Target) {}

  start(): void {
    for (const sort of SORTS) void this.run(sort);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.underWay);
  }

  /** Response times in milliseconds since the last call, shortest first. */
  take(): number[] {
    const taken = this.times.sort((a, b) => a - b);
    this.times = [];
    return taken;
  }

  private async run(sort: Sort): Promise<void> {
    while (!this.stopped) {
      const request = this.ask(sort);
      this.underWay.add(request);
      void request.then(() => this.underWay.delete(request));
      await sleep(sort.everyMs * (0.5 + Math.random()));
    }
  }

  private async ask({ name, ask }: Sort): Promise<void> {
    const start = performance.now();
    try {
      const response = await ask(this.target);
      const text = await response.text();
      if (response.status !== (REFUSED[name] ?? 200))
        this.errors.push(`${name}: ${response.status} ${text.slice(0, 200)}`);
      this.answered[name] = (this.answered[name] ?? 0) + 1;
      this.times.push(performance.now() - start);
    } catch (error) {
      const { message, cause } = error as Error;
      this.errors.push(`${name}: ${message} (${(cause as Error)?.message})`);
    }
  }
}
