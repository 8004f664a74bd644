import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { inviteMember } from '#domain/staff';
import { freePort, organization, type WholeOrganization, wholeOrganization } from '#libs/testing';
import { MOST_BYTES } from '#platform/validation';
import type { Databases } from '../fixtures/database';
import { type ImportFixture, imported, importFixture } from '../fixtures/imports';
import { type Program, typescript } from '../fixtures/program';
import { postMessages, type RaceDayFixture, raceDayFixture, someMessages } from '../fixtures/race-day';
import { asking, spawnApi, spawnWorker } from '../fixtures/startline';
import { hostileReceiver } from './hostile-receiver';
import type { Stillness } from './run';

const ACTOR = { type: 'COMMAND_LINE', id: null, origin: null } as const;
const ENTRIES = 1_000;
const PARTICIPANTS = 100;
const BOOKINGS = 64;
const BOOKINGS_PER_IMPORT = 32;
const ENTRIES_PER_BOOKING = 8;
/** Of metadata, tracking and an answer each, in characters of three bytes, beside names and labels. */
const THIRD_OF_ENTRY = Math.floor((MOST_BYTES.entry - 2_500) / 3 / 3);
const MESSAGES = 60_000;
const BATCH = 500;

/** The limits of the product, at which a customer sends. */
const DEFAULT_RATES = {
  RATE_IMPORT: '60',
  RATE_REGISTRATION_STATUS: '300',
  RATE_TIMING: '600',
  RATE_WIDE: '30000',
};

/** What the attack is about: an API, a worker, a hostile organization with everything that there is, and a quiet one. */
export interface Target {
  api: Program;
  worker: Program;
  /** An API without rate limits, to compare the cost of requests. */
  unlimited: Program;
  /** The longest blocks of the API's event loop since the last call. */
  stillness(): Promise<Stillness>;
  dataSource: DataSource;
  whole: WholeOrganization;
  /** Keys of the hostile organization, and the session of its owner. */
  callers: Record<'ORGANIZER' | 'MARKETPLACE' | 'TIMING' | 'STAFF', Record<string, string>>;
  importing: ImportFixture;
  timing: RaceDayFixture;
  quiet: { importing: ImportFixture; day: RaceDayFixture };
  /** Receives the deliveries of the hostile organization. */
  receiver: Awaited<ReturnType<typeof hostileReceiver>>;
  stop(): Promise<void>;
}

export async function startTarget(
  databases: Databases,
  dataSource: DataSource,
  url: string,
): Promise<Target> {
  const webhooks = {
    WEBHOOK_SECRETS_KEY: `attack:${randomBytes(32).toString('hex')}`,
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  const stillnessPort = String(await freePort());
  const api = await spawnApi(url, {
    ...DEFAULT_RATES,
    ...webhooks,
    STILLNESS_PORT: stillnessPort,
    NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, 'stillness.cjs'))}`,
  });
  const unlimited = await spawnApi(url, webhooks, { name: 'api without limits' });
  const worker = await spawnWorker(url, await freePort(), webhooks);
  const mark = 'hostile';
  const whole = await wholeOrganization(dataSource, { mark });
  const { organizationId } = whole;
  const of = async (kind: 'ORGANIZER' | 'MARKETPLACE' | 'TIMING') =>
    (await asking(dataSource, kind, organizationId)).headers;
  const { id: quietId } = await organization(dataSource, { slug: 'quiet' });
  const target: Target = {
    api,
    unlimited,
    worker,
    stillness: async () => {
      if (!api.isAlive) return { wallMs: Infinity, cpuMs: Infinity, oftenCpuMs: Infinity, heapMb: 0 };
      return (await (await fetch(`http://127.0.0.1:${stillnessPort}`)).json()) as Stillness;
    },
    dataSource,
    whole,
    callers: {
      ORGANIZER: await of('ORGANIZER'),
      MARKETPLACE: await of('MARKETPLACE'),
      TIMING: await of('TIMING'),
      STAFF: await staffOf(api.url, dataSource, organizationId, mark),
    },
    importing: await importFixture(dataSource, organizationId),
    timing: await raceDayFixture(dataSource, ENTRIES, organizationId),
    quiet: {
      importing: await importFixture(dataSource, quietId),
      day: await raceDayFixture(dataSource, PARTICIPANTS, quietId),
    },
    receiver: await hostileReceiver(),
    stop: async () => {
      target.receiver.server.closeAllConnections();
      await worker.stop();
      await api.stop();
      await unlimited.stop();
      await databases.stop();
    },
  };
  await fill(target);
  await subscribe(target);
  return target;
}

/** Stores as much as one customer can in a minute: participants of the largest size, and a long history of one of them. */
async function fill({ unlimited, importing, timing, whole, dataSource }: Target): Promise<void> {
  for (let from = 0; from < BOOKINGS; from += BOOKINGS_PER_IMPORT) {
    const rows = Array.from({ length: BOOKINGS_PER_IMPORT }, (_, n) => largestBooking(whole, from + n));
    await imported(unlimited.url, importing, 'bookings', JSON.stringify({ bookings: rows }), rows.length);
  }
  const participantId = whole.ids.participants as string;
  const longLived = { ...timing, participantIds: [participantId] };
  for (let sent = 0; sent < MESSAGES; sent += BATCH)
    await postMessages(unlimited.url, longLived, someMessages(longLived, BATCH, sent));
  await dataSource.query('ANALYZE');
}

/** Bookings whose entries are as large as permitted. */
const largestBooking = ({ ids }: WholeOrganization, n: number) => ({
  externalBookingId: `largest-${n}`,
  eventOccurrenceId: ids['event-occurrences'],
  booker: { email: `largest-${n}@example.com`, firstName: 'Ada', lastName: 'Lovelace' },
  metadata: { text: '€'.repeat(THIRD_OF_ENTRY) },
  tracking: { text: '€'.repeat(THIRD_OF_ENTRY) },
  participants: Array.from({ length: ENTRIES_PER_BOOKING }, () => ({
    ticketId: ids.tickets,
    firstName: 'Ada',
    lastName: 'Lovelace',
    fields: [{ id: ids['booking-form-fields'], value: '€'.repeat(THIRD_OF_ENTRY) }],
  })),
});

/** The quiet organization gets its deliveries. */
async function subscribe({ unlimited, quiet }: Target): Promise<void> {
  const receiver = fork(join(__dirname, '../fixtures/webhook-receiver.ts'), {
    execArgv: typescript('').slice(0, -1),
  });
  const [{ port }] = await once(receiver, 'message');
  const url = `http://127.0.0.1:${port}/`;
  const answer = await fetch(`${unlimited.url}/v0/webhook-endpoints`, {
    method: 'POST',
    headers: { ...quiet.importing.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ url, types: ['partner.created'] }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** The headers of a signed-in owner. */
async function staffOf(
  url: string,
  dataSource: DataSource,
  organizationId: string,
  slug: string,
): Promise<Record<string, string>> {
  const { token } = await inviteMember(
    dataSource.manager,
    { organizationId, email: 'staff@example.com', role: 'OWNER' },
    ACTOR,
  );
  const answer = await fetch(`${url}/console/v1/session/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ organization: slug, token }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { cookie, 'sec-fetch-site': 'same-origin', 'x-startline-organization': organizationId };
}
