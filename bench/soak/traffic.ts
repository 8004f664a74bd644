import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export interface World {
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
  /** Requests of this sort arrive at this pace, however long each takes. */
  everyMs: number;
  ask(world: World): Promise<Response>;
}

const one = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;

const get = ({ url, token }: World, path: string, as = token) =>
  fetch(url + path, { headers: { authorization: `Bearer ${as}` } });

const send = ({ url, token }: World, path: string, body: object, as = token, method = 'POST') =>
  fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const email = () => `runner-${Math.floor(Math.random() * 5_000)}@example.com`;
const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];

/** A sale, its start list, its partners and its race day, all at once. */
const SORTS: Sort[] = [
  {
    name: 'list of 100 participants',
    everyMs: 250,
    ask: (world) => get(world, '/v0/participants?sort%5BupdatedAt%5D=-1&page%5Bsize%5D=100'),
  },
  {
    name: 'list of 100 applications',
    everyMs: 400,
    ask: (world) => get(world, '/v0/applications?page%5Bsize%5D=100'),
  },
  {
    name: 'participant',
    everyMs: 30,
    ask: (world) => get(world, `/v0/participants/${one(world.participantIds)}`),
  },
  {
    name: 'occurrence',
    everyMs: 100,
    ask: (world) => get(world, `/v0/event-occurrences/${world.occurrenceId}`),
  },
  {
    name: 'marketplace',
    everyMs: 200,
    ask: (world) => get(world, '/marketplace/v1/events/', world.marketplaceToken),
  },
  {
    name: 'registration check',
    everyMs: 50,
    ask: (world) =>
      send(world, `/v0/event-occurrences/${world.occurrenceId}/registration-status`, { email: email() }),
  },
  {
    name: 'timing, 50 messages',
    everyMs: 500,
    ask: (world) =>
      send(
        world,
        '/timing-inbound/v1',
        Array.from({ length: 50 }, () => ({
          schemaVersion: '1.0',
          changedAt: new Date().toISOString(),
          data: {
            participantId: one(world.participantIds),
            shipping: { shippedAt: new Date().toISOString(), trackingNumber: randomUUID() },
          },
        })),
        world.timingToken,
      ),
  },
  {
    name: 'race-day update',
    everyMs: 500,
    ask: (world) =>
      send(
        world,
        `/v0/participants/${one(world.participantIds)}/race-day`,
        { customFields: [{ id: 'shirt', value: one(['S', 'M', 'L']) }] },
        world.token,
        'PATCH',
      ),
  },
  {
    name: 'partner created',
    everyMs: 1_000,
    ask: (world) => send(world, '/v0/partners', { name: 'Harbour Hospice', contacts }),
  },
  {
    name: 'import of 200 bookings',
    everyMs: 5_000,
    ask: (world) => {
      const bookings = Array.from({ length: 200 }, () => {
        const person = { firstName: 'Ada', lastName: 'Lovelace', email: email() };
        return {
          externalBookingId: randomUUID(),
          eventOccurrenceId: world.occurrenceId,
          booker: person,
          participants: [{ ticketId: world.ticketId, ...person }],
        };
      });
      return send(world, '/v0/bookings/import', { bookings });
    },
  },
  {
    name: 'import of 2 MB',
    everyMs: 45_000,
    ask: (world) => {
      const credits = Array.from({ length: 10_000 }, () => ({
        externalCreditId: randomUUID(),
        email: email(),
        amount: { value: 500, currencyCode: 'GBP' },
        reason: 'Cancelled swim, refunded as credit for the next one, as it was announced',
      }));
      return send(world, '/v0/credits/import', { credits });
    },
  },
  { name: 'refused key', everyMs: 500, ask: (world) => get(world, '/identity', `${world.token}x`) },
  { name: 'refused query', everyMs: 500, ask: (world) => get(world, '/v0/partners?nonsense=1') },
];

/** What is right for those that are to be refused. */
const REFUSED: Record<string, number> = { 'refused key': 401, 'refused query': 400 };

/** Sends all sorts of requests until it is stopped. */
export class Traffic {
  readonly errors: string[] = [];
  readonly answered: Record<string, number> = {};
  private times: number[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private stopped = false;

  constructor(private readonly world: World) {}

  start(): void {
    for (const sort of SORTS) void this.run(sort);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.underWay);
  }

  /** Milliseconds of the answers since the last call, shortest first. */
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
      const response = await ask(this.world);
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
