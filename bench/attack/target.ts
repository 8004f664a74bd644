import type { DataSource } from 'typeorm';
import { inviteMember } from '#libs/staff';
import { freePort, organization, type WholeOrganization, wholeOrganization } from '#libs/testing';
import type { Databases } from '../fixtures/database';
import { bookingsBody, type ImportFixture, imported, importFixture } from '../fixtures/imports';
import type { Program } from '../fixtures/program';
import { postMessages, type RaceDayFixture, raceDayFixture, someMessages } from '../fixtures/race-day';
import { type Asking, asking, spawnApi, spawnWorker } from '../fixtures/startline';

const ACTOR = { type: 'COMMAND_LINE', id: null, origin: null } as const;
const ENTRIES = 1_000;
const PARTICIPANTS = 100;
const BOOKINGS = 1_000;
const BYTES_PER_BOOKING = 10_000;
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
  /** Metrics of the API, on a port that the attack does not know. */
  metrics: string;
  dataSource: DataSource;
  whole: WholeOrganization;
  /** Keys of the hostile organization, and the session of its owner. */
  callers: Record<'ORGANIZER' | 'MARKETPLACE' | 'TIMING' | 'STAFF', Record<string, string>>;
  importing: ImportFixture;
  timing: RaceDayFixture;
  quiet: Asking & { participantIds: string[] };
  stop(): Promise<void>;
}

export async function startTarget(
  databases: Databases,
  dataSource: DataSource,
  url: string,
): Promise<Target> {
  const metricsPort = await freePort();
  const api = await spawnApi(url, { ...DEFAULT_RATES, METRICS_PORT: String(metricsPort) });
  const unlimited = await spawnApi(url, {}, { name: 'api without limits' });
  const worker = await spawnWorker(url, await freePort());
  const mark = 'hostile';
  const whole = await wholeOrganization(dataSource, { mark });
  const { organizationId } = whole;
  const of = async (kind: 'ORGANIZER' | 'MARKETPLACE' | 'TIMING') =>
    (await asking(dataSource, kind, organizationId)).headers;
  const { id: quietId } = await organization(dataSource, { slug: 'quiet' });
  const quietDay = await raceDayFixture(dataSource, PARTICIPANTS, quietId);
  const target: Target = {
    api,
    unlimited,
    worker,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
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
    quiet: { ...quietDay.organizer, participantIds: quietDay.participantIds },
    stop: async () => {
      await worker.stop();
      await api.stop();
      await unlimited.stop();
      await databases.stop();
    },
  };
  await fill(target);
  return target;
}

/** Stores as much as one customer can in a minute: large bookings, and a long history of one participant. */
async function fill({ unlimited, importing, timing, whole, dataSource }: Target): Promise<void> {
  const body = bookingsBody(importing, BOOKINGS, BOOKINGS * BYTES_PER_BOOKING);
  await imported(unlimited.url, importing, 'bookings', body, BOOKINGS);
  const participantId = whole.ids.participants as string;
  const longLived = { ...timing, participantIds: [participantId] };
  for (let sent = 0; sent < MESSAGES; sent += BATCH)
    await postMessages(unlimited.url, longLived, someMessages(longLived, BATCH, sent));
  await dataSource.query('ANALYZE');
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
