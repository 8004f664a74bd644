import type { EntityManager } from 'typeorm';
import { decideApplications, redactParticipant } from '#domain/participants';
import { StartlineClient } from '#libs/client';
import {
  booking,
  describeWithOwnRedis,
  freePort,
  type OwnRedis,
  occurrence,
  ownRedis,
  partner,
  ticket,
} from '#libs/testing';
import { WebhookDelivery } from '#platform/database';
import { eventually, pace, startApi, type TestApi } from '../harness';
import { Receiver, WEBHOOK_SECRETS_KEY } from '../webhooks/receiver';
import { OwnPostgres } from './own-postgres';
import { Fleet, Program } from './workers';

/** The approximate number of announced changes; a few thousand by default. */
const CHANGES = Number(process.env.WEBHOOK_FAULT_CHANGES ?? 2_000);
const BOOKINGS = 100;
/**
 * For each booking of a batch: itself, its application, its participant, and its tag. Other actions change little
 * more.
 */
const ROUNDS = Math.ceil(CHANGES / (BOOKINGS * 4));
const SETTINGS = {
  WEBHOOK_SECRETS_KEY,
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  STARTLINE_TEST_WEBHOOK_SWEEP_MS: '200',
  WEBHOOK_TIMEOUT_MS: '1000',
  WEBHOOK_RETRY_SECONDS: Array.from({ length: 50 }, () => '0.5').join(','),
  RATE_WIDE: '1000000',
  RATE_IMPORT: '100000',
  STARTLINE_TEST_SWEEP_MS: '500',
  STARTLINE_TEST_SILENT_MS: '1500',
};
const TYPES = [
  ...['participant.created', 'participant.updated', 'participant.race_day_updated'],
  ...['participant.cancelled', 'participant.redacted'],
  ...['application.created', 'application.decided', 'application.redacted'],
  ...['booking.created', 'booking.updated', 'booking.cancelled'],
  ...['partner.created', 'event_occurrence.created', 'event_occurrence.updated', 'import.finished'],
];
/** The decisions of each round; the last application is redacted while it is pending. */
const DECISIONS = ['APPROVE', 'REJECT', 'WITHDRAW'] as const;
const ACTOR = { type: 'COMMAND_LINE', id: null, origin: null } as const;

/** The objects that an event refers to, and where to read them. */
const PATHS = {
  participantId: '/v0/participants/{id}',
  applicationId: '/v0/applications/{id}',
  bookingId: '/v0/bookings/{id}',
  partnerId: '/v0/partners/{id}',
  eventOccurrenceId: '/v0/event-occurrences/{id}',
} as const;

/** A client that only reads objects that events refer to. */
class Copy {
  readonly held = new Map<string, unknown>();
  private readonly stale = new Set<string>();
  private running = true;
  private readonly fetching: Promise<void>;

  constructor(private readonly client: StartlineClient) {
    this.fetching = this.fetch();
  }

  hears(data: Record<string, string>): void {
    for (const [name, path] of Object.entries(PATHS)) if (data[name]) this.stale.add(`${path} ${data[name]}`);
  }

  /** Resolves when everything that was announced has been fetched. */
  async end(): Promise<void> {
    await eventually(async () => this.stale.size === 0);
    this.running = false;
    await this.fetching;
  }

  private async fetch(): Promise<void> {
    while (this.running) {
      const some = [...this.stale].slice(0, 20);
      await Promise.all(
        some.map(async (each) => {
          const [path, id] = each.split(' ') as [(typeof PATHS)['partnerId'], string];
          // Later announcements are fetched again.
          this.stale.delete(each);
          try {
            this.held.set(each, await this.client.get(path, { params: { path: { id } } }));
          } catch {
            this.stale.add(each);
          }
        }),
      );
      if (some.length === 0) await pace(20);
    }
  }
}

describe('change events and webhooks on PostgreSQL alone', () => survive({ withRedis: false }));
describeWithOwnRedis()('change events and webhooks with Redis', () => survive({ withRedis: true }));

function survive({ withRedis }: { withRedis: boolean }) {
  let postgres: OwnPostgres;
  let redis: OwnRedis | undefined;
  let api: TestApi;
  let fleet: Fleet;
  let receiver: Receiver;
  let server: Program;
  let port: string;
  const environment = () => ({
    DATABASE_URL: postgres.url,
    ...(redis && { REDIS_URL: redis.url }),
    ...SETTINGS,
  });
  const startServer = async () => {
    server = await Program.start('api', { ...environment(), PORT: port });
  };
  beforeAll(async () => {
    [postgres, redis, receiver] = await Promise.all([
      OwnPostgres.start(),
      withRedis ? ownRedis() : undefined,
      Receiver.start(),
    ]);
    port = String(await freePort());
    api = await startApi(environment());
    fleet = new Fleet(environment());
    await Promise.all([startServer(), fleet.workers(2)]);
  });
  afterAll(async () => {
    await fleet.end();
    await server.kill();
    await api.close();
    await receiver.stop();
    await redis?.stop();
    await postgres.remove();
  });

  it('survive kills of API, workers, PostgreSQL and queue while changes happen', async () => {
    const { organizationId } = api;
    const own = { organizationId };
    const client = () =>
      new StartlineClient({ baseUrl: `http://127.0.0.1:${port}`, token: api.token, tries: 30 });
    // The database may be unavailable at any time; each of these can be repeated.
    const insist: Insist = <T>(work: () => Promise<T>): Promise<T> =>
      eventually(async () => work().catch(() => undefined) as Promise<T | undefined>);
    const { secret, id: endpointId } = (
      await api.send('POST', '/v0/webhook-endpoints', { url: `${receiver.url}/start`, types: TYPES })
    ).body;
    await api.send('PATCH', `/v0/webhook-endpoints/${endpointId}`, {
      url: `${receiver.url}/faults?secret=${encodeURIComponent(secret)}`,
    });
    const { id: ticketId, eventOccurrenceId } = await ticket(api.dataSource, own);

    const heard = new Copy(client());
    receiver.tells(({ body }) => heard.hears(JSON.parse(body).data));
    const following = new AbortController();
    const listed = new Map<string, string>();
    const polling = new Copy(client());
    let after: string | undefined;
    const poll = (async () => {
      while (!following.signal.aborted) {
        try {
          for await (const page of client().changeEvents({ after, everyMs: 50, signal: following.signal })) {
            for (const event of page.events) {
              listed.set(event.id, event.type);
              polling.hears(event.data as Record<string, string>);
            }
            after = page.cursor;
          }
        } catch {
          // The API is unavailable, or the test has ended.
        }
      }
    })();

    let changing = true;
    const deaths: [string, () => Promise<unknown>][] = [
      ['worker', async () => (await fleet.workers(2))[0]?.kill().then(() => fleet.workers(2))],
      ['api', () => server.kill().then(startServer)],
      ['PostgreSQL', async () => void postgres.kill()],
      ...(redis ? ([['queue', () => redis?.stop()]] as [string, () => Promise<unknown>][]) : []),
    ];
    const died: string[] = [];
    const killing = (async () => {
      for (let i = 0; changing || i < deaths.length; i++) {
        const [name, kill] = deaths[i % deaths.length] as (typeof deaths)[number];
        await kill();
        if (name === 'PostgreSQL')
          // Its processes need a moment to detect it.
          await eventually(() =>
            postgres
              .start()
              .then(() => true)
              .catch(() => false),
          );
        if (name === 'queue') await redis?.start();
        died.push(name);
        const before = receiver.received.length;
        // Some work succeeds before the next kill.
        await eventually(async () => !changing || receiver.received.length > before + 20).catch(async () => {
          throw new Error(
            `Nothing was delivered after the death of ${name}: ${await stateOf(organizationId)}`,
          );
        });
      }
    })();

    const importer = client();
    for (let round = 0; round < ROUNDS; round++) {
      const rows = Array.from({ length: BOOKINGS }, (_, i) => ({
        externalBookingId: `order-${round}-${i}`,
        eventOccurrenceId,
        booker: { firstName: 'Ada', lastName: `${i}`, email: `ada-${i}@example.com` },
        participants: [{ firstName: 'Ada', lastName: `${i}`, email: `ada-${i}@example.com`, ticketId }],
      }));
      await importer.import('/v0/bookings/import', rows, { idempotencyKey: `round-${round}`, everyMs: 50 });
      await insist(() => partner(api.dataSource, { ...own, name: `Partner ${round}` }));
      await insist(() => occurrence(api.dataSource, { ...own, title: `Occurrence ${round}` }));
      await insist(async () => {
        await api.dataSource.query(
          `UPDATE start_list_entries e SET tags = ARRAY[$2] FROM bookings b
           WHERE e.organization_id = $1 AND b.organization_id = $1 AND b.id = e.booking_id AND b.external_booking_id LIKE $3`,
          [organizationId, `round ${round}`, `order-${round}-%`],
        );
        return true;
      });
      await decideAndRedact(insist, importer, round);
      // Rolled back, so no event may announce it.
      await api.dataSource
        .transaction(async (manager) => {
          await manager.query(
            `INSERT INTO partners (organization_id, id, name) VALUES ($1, uuid_v7(), 'Never')`,
            [organizationId],
          );
          throw new Error('rolled back');
        })
        .catch(() => {});
    }
    changing = false;
    await killing;
    await fleet.workers(2);
    expect(new Set(died).size).toBe(deaths.length);

    const pending = () =>
      api.dataSource.getRepository(WebhookDelivery).countBy({ organizationId, state: 'PENDING' });
    // Race-day work that the last kills interrupted still changes participants.
    await eventually(async () => {
      const [{ idle }] = await insist(() =>
        api.dataSource.query(`SELECT NOT EXISTS (SELECT FROM race_day_log WHERE applied_at IS NULL)
          AND NOT EXISTS (SELECT FROM bib_claims WHERE until IS NULL) AND NOT EXISTS (SELECT FROM race_day_tasks)
          AND NOT EXISTS (SELECT FROM import_jobs WHERE status IN ('QUEUED', 'RUNNING')) AS idle`),
      );
      return idle;
    });
    const events: { id: string; type: string }[] = await insist(() =>
      api.dataSource.query('SELECT id, type FROM change_events WHERE organization_id = $1', [organizationId]),
    );
    await eventually(async () => listed.size >= events.length);
    expect(listed.size).toBe(events.length);
    const wanted = events.filter(({ type }) => TYPES.includes(type));
    expect([...new Set(wanted.map(({ type }) => type))].sort()).toEqual([...TYPES].sort());
    const told = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    await eventually(async () => told().size === wanted.length && (await pending()) === 0);
    following.abort();
    await poll;

    // Each event has one body, and each delivery was signed.
    const bodies = new Set(receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`));
    expect([told(), bodies.size]).toEqual([new Set(wanted.map(({ id }) => id)), wanted.length]);
    expect(receiver.received.filter(({ verified, path }) => path === 'faults' && !verified)).toEqual([]);
    expect([...listed.keys()].sort()).toEqual(events.map(({ id }) => id).sort());
    expect(JSON.stringify([...bodies])).not.toMatch(/Ada|Never/);

    // A client that fetches what deliveries name has the current data, and so does one that reads the list.
    await Promise.all([heard.end(), polling.end()]);
    const all = new Map<string, unknown>();
    const reader = client();
    const put = (name: keyof typeof PATHS, item: { id: string }) =>
      all.set(`${PATHS[name]} ${item.id}`, item);
    for await (const item of reader.every('/v0/applications')) put('applicationId', item);
    for await (const item of reader.every('/v0/participants')) put('participantId', item);
    for await (const item of reader.every('/v0/partners')) put('partnerId', item);
    for await (const item of reader.every('/v0/event-occurrences')) put('eventOccurrenceId', item);
    const bookings: { id: string; external: string | null }[] = await api.dataSource.query(
      'SELECT id, external_booking_id AS external FROM bookings WHERE organization_id = $1',
      [organizationId],
    );
    for (const { id } of bookings) {
      put('bookingId', await reader.get('/v0/bookings/{id}', { params: { path: { id } } }));
    }
    expect(bookings.filter(({ external }) => external?.startsWith('order-'))).toHaveLength(ROUNDS * BOOKINGS);
    for (const copy of [heard, polling]) {
      expect([...copy.held.keys()].sort()).toEqual([...all.keys()].sort());
      const differ = [...all].filter(
        ([key, item]) =>
          (copy.held.get(key) as { updatedAt?: string }).updatedAt !==
          (item as { updatedAt?: string }).updatedAt,
      );
      expect(differ).toEqual([]);
    }
  });
  /** The pending work, for the message of a failure. */
  async function stateOf(organizationId: string): Promise<string> {
    const [state] = await api.dataSource.query(
      `SELECT (SELECT json_agg(json_build_array(status, started_at, succeeded_rows, total_rows)) FROM import_jobs
          WHERE organization_id = $1 AND finished_at IS NULL) AS imports,
        (SELECT json_agg(a) FROM import_attempts a WHERE organization_id = $1) AS attempts,
        (SELECT json_object_agg(state, count) FROM (SELECT state, count(*) FROM webhook_deliveries
          WHERE organization_id = $1 GROUP BY state) d) AS deliveries,
        (SELECT json_agg(json_build_array(disabled_reason, failing_since, failures_in_row, leased_until))
          FROM webhook_endpoints WHERE organization_id = $1) AS endpoints,
        (SELECT count(*) FROM change_events e JOIN change_event_feeds f USING (organization_id)
          WHERE organization_id = $1 AND e.occurred_at > f.fanned_out_at) AS undelivered, horizon(), clock_timestamp()`,
      [organizationId],
    );
    return JSON.stringify(state);
  }

  /** Decides applications, redacts an application and participants, sets a bib and cancels a booking. */
  async function decideAndRedact(insist: Insist, client: StartlineClient, round: number): Promise<void> {
    const { dataSource, organizationId } = api;
    const { entries } = await insist(() =>
      booking(dataSource, {
        organizationId,
        entries: [...DECISIONS, 'none'].map(() => ({ approvalStatus: 'PENDING' as const })),
      }),
    );
    const transaction = <T>(work: (manager: EntityManager) => Promise<T>) =>
      insist(() => dataSource.transaction(work));
    for (const [i, decision] of DECISIONS.entries()) {
      const applicationIds = [entries[i]?.id as string];
      await transaction((manager) =>
        decideApplications(manager, { organizationId, applicationIds, decision }),
      );
    }
    const [approved, last] = [entries[0], entries.at(-1)];
    for (const id of [approved?.participantId, last?.id])
      await insist(() => redactParticipant(api.dataSource, id as string, ACTOR));
    const [first, second, third] = await insist(() =>
      dataSource.query(
        `SELECT b.id, e.participant_id AS "participantId" FROM bookings b JOIN start_list_entries e
           ON e.organization_id = b.organization_id AND e.booking_id = b.id
         WHERE b.organization_id = $1 AND b.external_booking_id LIKE $2 ORDER BY b.external_booking_id LIMIT 3`,
        [organizationId, `order-${round}-%`],
      ),
    );
    await insist(() => redactParticipant(api.dataSource, first.participantId, ACTOR));
    await insist(() =>
      client.patch('/v0/participants/{id}/race-day', {
        params: { path: { id: second.participantId } },
        body: { bibNumber: `${round}` },
      }),
    );
    await insist(() => client.delete('/v0/bookings/{id}', { params: { path: { id: third.id } } }));
  }
}

type Insist = <T>(work: () => Promise<T>) => Promise<T>;
