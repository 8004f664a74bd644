import { setTimeout as sleep } from 'node:timers/promises';
import { MAXIMA } from '#platform/validation';
import { ALL_OPERATIONS } from '../../test/contract/document';
import { ValidRequests } from '../../test/contract/valid-requests';
import { bookingsBody } from '../fixtures/imports';
import type { Family } from './attacks';
import { grown } from './grown';
import { flood, headersFor, INLINE, JSON_TYPE, ORDINARY, one, pathOf, validBody } from './requests';
import type { Sent } from './sender';
import type { Target } from './target';

const CONNECTIONS = 4;
const CATALOGUE = 4_100_000;
const POLL_MS = 100;
/** Payloads of finished rows beside which a person is searched, and the bytes of each. */
const [PAYLOADS, PAYLOAD] = [Number(process.env.ATTACK_PAYLOADS ?? 5_000), 20_000];
const [DRY_RUNS, DRY_RUN_ROWS, DRY_RUN_BYTES] = [4, 1_900, 17_500_000];
const EXPORTED = 'nobody@example.com';

const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
/** A local time for each number. */
const timeOf = (n: number) => new Date(Date.UTC(2027, 0, 1, 0, n)).toISOString().slice(0, 19);
const price = { value: 0, currencyCode: 'ZERO' };

let serial = 0;
const occurrence = (more: object, slug = `max-${serial++}`): object[] => [
  { record: 'event', slug, title: 'M' },
  { record: 'occurrence', event: slug, slug, title: 'M', timeZone: 'Europe/London', ...more },
];
const races = (waves: number, tickets: number, description: number) =>
  many(waves > 0 ? MAXIMA.races : 1, (race) => ({
    title: `R${race}`,
    waves: many(waves, (wave) => ({
      title: `${serial}-${wave}`,
      startDateTime: timeOf(race * MAXIMA.waves + wave),
    })),
    tickets: many(tickets, (n) => ({
      ticketSlug: `t-${n}`,
      title: `${serial}`,
      description: 'x'.repeat(description),
      price,
    })),
  }));
/** Catalogues at their maxima, each with other values on each call. */
const CATALOGUES: Record<string, () => object[]> = {
  'the most waves': () =>
    occurrence({ races: races(MAXIMA.wavesOfOccurrence / MAXIMA.races, 0, 0) }, 'most-waves'),
  'the most tickets': () => occurrence({ races: races(0, MAXIMA.tickets, 1_800) }, 'most-tickets'),
  'the most times of groups': () =>
    occurrence(
      {
        races: races(0, MAXIMA.ticketsOfGroup, 0),
        reservedEntryGroups: many(MAXIMA.ticketsOfGroups / MAXIMA.ticketsOfGroup, (group) => ({
          ...{ code: `g-${group}`, name: `${serial}`, maxCapacity: 1 },
          tickets: many(MAXIMA.ticketsOfGroup, (n) => ({
            ...{ ticketSlug: `t-${n}`, startDateTime: timeOf(group * MAXIMA.ticketsOfGroup + n) },
          })),
        })),
      },
      'most-times',
    ),
  'the most tags of texts': () =>
    many(60, () =>
      occurrence({ content: { excerpt: '<a href="https://e.example/" title="x">'.repeat(1_500) } }),
    ).flat(),
  'time zones of 19,400 characters': () =>
    many(100, (n) => occurrence({ timeZone: `${n}${serial}`.padEnd(19_400, 'x') })).flat(),
  'texts that are too long for each record': () =>
    many(100, () => occurrence({ title: 'x'.repeat(19_000) })).flat(),
  'lists of far more empty rows than a record has': () =>
    occurrence({
      reservedEntryGroups: many(20_000, () => ({})),
      races: many(MAXIMA.races, () => ({ tickets: many(1_000, () => ({})) })),
      tags: many(50_000, () => ''),
    }),
  'properties of far more names than records have': () =>
    many(3_000, (n) =>
      occurrence(Object.fromEntries(many(60, (i) => [`p${serial}-${n}-${i}`, 1]))).slice(1),
    ).flat(),
  'a record of 4 MB': () => occurrence({ races: races(0, MAXIMA.tickets, 8_000) }),
};

const post = (path: string, headers: Record<string, string>, body?: object, method = 'POST'): Sent => ({
  ...{ method, path, headers: body ? { ...headers, ...JSON_TYPE } : headers },
  body: body && JSON.stringify(body),
});

async function answerOf(url: string, { path, ...init }: Sent): Promise<any> {
  const answer = await fetch(url + path, init);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** A finished dry run whose rows failed, and have corrections. @returns its id */
async function correctedDryRun({ unlimited: { url }, importing }: Target): Promise<string> {
  const { headers, ticket } = importing;
  const body = bookingsBody(importing, DRY_RUN_ROWS, DRY_RUN_BYTES);
  const bookings = JSON.parse(body.replaceAll(ticket.id, ticket.eventOccurrenceId)).bookings as object[];
  const tried = async (corrects?: object): Promise<string> => {
    const { jobId } = await answerOf(
      url,
      post('/v0/bookings/import?dryRun=true', headers, { bookings, corrects }),
    );
    while (!(await answerOf(url, { path: `/v0/bookings/import/${jobId}`, headers })).finishedAt)
      await sleep(POLL_MS);
    return jobId;
  };
  const jobId = await tried();
  await tried({ jobId, rows: many(DRY_RUN_ROWS, (n) => n) });
  return jobId;
}

const prepared = new WeakMap<Target, Promise<unknown>>();
/** Rows of a finished import, as large as a row can be, beside which every search of a person has to read. */
const payloads = (target: Target): Promise<unknown> => {
  const { dataSource, whole } = target;
  const stored =
    prepared.get(target) ??
    dataSource.query(
      `INSERT INTO import_rows (organization_id, job_id, row_number, payload, outcome)
       SELECT $1, (SELECT id FROM import_jobs WHERE organization_id = $1 LIMIT 1), 1000000 + n,
         jsonb_build_object('n', n, 'text', (SELECT string_agg(md5(n || '-' || i), '') FROM generate_series(1, $3::int / 32) i)), 'IMPORTED'
       FROM generate_series(1, $2::int) n`,
      [whole.organizationId, PAYLOADS, PAYLOAD],
    );
  prepared.set(target, stored);
  return stored;
};

/** Of what staff and keys write, what is not a matter of one request. */
const LOOPED = ALL_OPERATIONS.filter(
  ({ method, name }) => method !== 'GET' && !/session|password|signIn|signOut|import|undo|redeem/i.test(name),
);

export const WRITES: Record<string, Family> = {
  'catalogues and console bodies at every maximum': (target, random) => {
    const isCatalogue = random.between(0, 2) > 0;
    const of = one(
      ALL_OPERATIONS.filter(
        ({ body, path }) => body && path.startsWith('/console/') && !/session|password|erase/.test(path),
      ),
      random,
    );
    const [what, records] = one(Object.entries(CATALOGUES), random);
    const bytes = one([INLINE, ORDINARY], random);
    const path = one(['/v0/catalogue', '/console/v1/catalogue'], random);
    const caller = path.startsWith('/v0') ? target.callers.ORGANIZER : target.callers.STAFF;
    return {
      what: isCatalogue ? `${path}, ${what}` : `${of.name}, the largest values in ${bytes} bytes`,
      run: (sender, signal) =>
        flood(
          sender,
          signal,
          () => {
            serial += 1;
            if (isCatalogue) return post(path, caller, { records: records().slice(0, 200) }, 'PUT');
            const body = grown(of.body, validBody(target, of), Math.min(bytes, CATALOGUE)) as object;
            return post(pathOf(target, of), headersFor(target, of), body, of.method);
          },
          CONNECTIONS,
        ),
    };
  },

  // A job that is applied is rebuilt from the rows of the dry run and of its corrections.
  'dry runs with corrections that are applied': (target) => {
    const dryRuns: string[] = [];
    const { headers } = target.importing;
    return {
      what: `${DRY_RUNS} dry runs of ${DRY_RUN_ROWS} rows of ${Math.round(DRY_RUN_BYTES / DRY_RUN_ROWS)} bytes`,
      prepare: async () => {
        for (let n = 0; n < DRY_RUNS; n++) dryRuns.push(await correctedDryRun(target));
      },
      run: async (sender, signal) => {
        let sent = 0;
        const next = () => post(`/v0/import-jobs/${dryRuns[sent++ % DRY_RUNS]}/apply`, headers);
        await flood(sender, signal, next, CONNECTIONS);
      },
    };
  },

  'every write in a loop': (target, random) => {
    const of = one(LOOPED, random);
    const requests = new ValidRequests(target.dataSource, target.whole);
    const next = async () => {
      const { path, body } = await requests.valid(of);
      return post(path, headersFor(target, of), body as object | undefined, of.method);
    };
    return { what: of.name, run: (sender, signal) => flood(sender, signal, next, CONNECTIONS) };
  },

  'exports of persons beside large payloads': (target) => ({
    what: `${(PAYLOADS * PAYLOAD) / 1e6} MB`,
    prepare: () => payloads(target),
    run: async (sender, signal) => {
      const headers = target.callers.STAFF;
      let sent = 0;
      await flood(sender, signal, () => {
        sent += 1;
        return sent % 2 > 0
          ? post('/console/v1/persons/export', headers, { email: EXPORTED })
          : post('/console/v1/persons/erase', headers, { email: EXPORTED, dryRun: true });
      });
    },
  }),
};
