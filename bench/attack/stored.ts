import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { key, workbook } from '#libs/testing';
import { newId } from '#platform/database';
import { MOST_BYTES } from '#platform/validation';
import type { Family } from './attacks';
import { flood, JSON_TYPE, one } from './requests';
import type { Sent } from './sender';
import type { Target } from './target';

const CONNECTIONS = 16;
const POLL_MS = 100;
const KEYS = 100;
/** The newest messages that the console shows of a participant. */
const MESSAGES_SHOWN = 500;
/** The most occurrences of a key. */
const OCCURRENCES_OF_KEY = 1_000;
/** The most rows whose results a job shows itself, and participants that fit into their body. */
const ROWS_OF_JOB = 1_000;
const PARTICIPANTS_OF_ROW = 40;
const TICKET = {
  title: 'T',
  description: 'x'.repeat(MOST_BYTES.ticket - 1_000),
  price: { value: 0, currencyCode: 'ZERO' },
};

/** Records that a small body names. */
type Named = { id: string; record: Record<string, unknown> }[];

/** For each target, the work of its first call. */
function once<T>(store: (target: Target) => Promise<T>): (target: Target) => Promise<T> {
  const stored = new WeakMap<Target, Promise<T>>();
  return (target) => {
    const known = stored.get(target) ?? store(target);
    stored.set(target, known);
    return known;
  };
}

/** Tickets of the largest size that fit into a record. */
const TICKETS = Math.floor(MOST_BYTES.record / MOST_BYTES.ticket) - 1;

/** Stores one occurrence more than a request may name, of the largest size. */
async function storeLargest({ unlimited, callers }: Target): Promise<Named> {
  const found: Named = [];
  while (found.length <= MOST_BYTES.records / MOST_BYTES.record) {
    const slug = `large-${newId()}`;
    const record = { record: 'occurrence', event: slug, slug, title: 'L', timeZone: 'Europe/London' };
    const tickets = Array.from({ length: TICKETS }, (_, n) => ({ ...TICKET, ticketSlug: `t-${n}` }));
    const records = [
      { record: 'event', slug, title: 'L' },
      { ...record, races: [{ title: 'R', tickets }] },
    ];
    const put = () =>
      fetch(`${unlimited.url}/v0/catalogue`, {
        method: 'PUT',
        headers: { ...callers.ORGANIZER, ...JSON_TYPE },
        body: JSON.stringify({ records }),
      });
    // Again, if an idle connection was just closed.
    const answer = await put().catch(put);
    if (!answer.ok) throw new Error(await answer.text());
    const written = (await answer.json()) as { records: { id: string }[] };
    found.push({ id: written.records[1]?.id as string, record });
  }
  return found;
}

async function storeKeys({ dataSource, whole: { organizationId } }: Target): Promise<string[]> {
  const eventOccurrenceIds = Array.from({ length: OCCURRENCES_OF_KEY }, () => newId());
  for (let n = 0; n < KEYS; n++) await key(dataSource, { organizationId, eventOccurrenceIds });
  return ['/console/v1/keys'];
}

/** As many messages about a participant as the console shows, as large as permitted. */
async function storeMessages({ unlimited, callers, whole }: Target): Promise<string[]> {
  const id = whole.ids.participants as string;
  const customFields = [
    { id: 'a', value: 'x'.repeat(9_300) },
    { id: 'b', value: 'x'.repeat(9_300) },
  ];
  for (let n = 0; n < MESSAGES_SHOWN; n++) {
    const answer = await fetch(`${unlimited.url}/v0/participants/${id}/race-day`, {
      method: 'PATCH',
      headers: { ...callers.ORGANIZER, ...JSON_TYPE },
      body: JSON.stringify({ customFields }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
  return [`/console/v1/participants/${id}`];
}

/** Stores an import job that shows as many ids and paths as it can. @returns its path */
async function storeJob({ unlimited, importing }: Target): Promise<string> {
  const { ticket, headers } = importing;
  const path = '/v0/bookings/import';
  const send = async (firstName: string): Promise<string> => {
    const participants = Array.from({ length: PARTICIPANTS_OF_ROW }, () => ({
      ticketId: ticket.id,
      firstName,
      lastName: firstName,
      email: `${firstName}@example.com`,
    }));
    const bookings = Array.from({ length: ROWS_OF_JOB }, (_, n) => ({
      externalBookingId: `shown-${n}`,
      eventOccurrenceId: ticket.eventOccurrenceId,
      booker: { email: 'a@example.com', firstName: 'a', lastName: 'a' },
      participants,
    }));
    const answer = await fetch(unlimited.url + path, {
      method: 'POST',
      headers: { ...headers, ...JSON_TYPE },
      body: JSON.stringify({ bookings }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    const { jobId } = (await answer.json()) as { jobId: string };
    const job = `${path}/${jobId}`;
    for (;;) {
      const state = await fetch(unlimited.url + job, { headers });
      if (((await state.json()) as { finishedAt: string | null }).finishedAt) return job;
      await sleep(POLL_MS);
    }
  };
  await send('a');
  return send('b');
}

const largestJobOf = once(storeJob);
const largestOf = once(storeLargest);

/** What stores large records, and returns their paths. */
const RECORDS: Record<string, (target: Target) => Promise<string[]>> = {
  'keys with the most restrictions': once(storeKeys),
  'a participant with the most messages': once(storeMessages),
  'occurrences of the largest size': async (target) =>
    (await largestOf(target)).map(({ id }) => `/console/v1/catalogue/event-occurrences/${id}`),
};

/** Bytes of an uploaded file, of which base64 makes a third more. */
const FILE = 2_900_000;
const HEAD = 'event.title,race.title,race.startDate\n';
/** A workbook with such a second row. */
const farAway = (row: string): Buffer =>
  Buffer.from(
    workbook({ S: [['event.title'], ['a']] }, { edit: (rows) => rows.replace(/<row r="2">.*<\/row>/, row) }),
  );
const rows = (row: (n: number) => string, length = 120_000) =>
  HEAD +
  Array.from({ length }, (_, n) => row(n))
    .join('')
    .slice(0, FILE - HEAD.length);
/** Tables that cost more than their bytes. */
const FILES: Record<string, () => string | Buffer> = {
  'the same row': () => rows(() => 'E,R,2027-01-01\n'),
  'races of one event': () => rows((n) => `E,R${n},2027-01-01\n`),
  'events of one race': () => rows((n) => `E${n},R,2027-01-01\n`),
  'rows without a date': () => rows(() => 'E,R,x\n'),
  columns: () => 'a;'.repeat(FILE / 2),
  quotes: () => `a,b\n${'"'.repeat(FILE)}`,
  // Normalization takes the square of the length of a run of marks.
  'titles of combining marks': () => rows((n) => `a${'\u0301\u0316'.repeat(15_000)}${n},R,2027-01-01\n`, 45),
  'long names of columns': () =>
    `${Array.from({ length: 80 }, (_, n) => `${n}${'event'.repeat(6_000)}`).join()}\na\n`,
  // What the same bytes become is counted, not what is sent.
  'a table that expands to 250 MB': () => gzipSync(Buffer.alloc(250_000_000, 'a,b\n'), { level: 9 }),
  'a table that expands to the most': () => gzipSync(Buffer.alloc(15_000_000, 'a,b\n'), { level: 9 }),
  'a workbook that expands': () => Buffer.from(workbook({ S: [['&'.repeat(6_000_000)]] })),
  'a cell far away': () => farAway('<row r="2"><c r="ZZZZZZZZZ2"><v>1</v></c></row>'),
  'a cell far away, in other quotes': () => farAway(`<row r='2'><c r='ZZZZZZZZZ2'><v>1</v></c></row>`),
  'the last row of a sheet': () => farAway('<row r="1048576"><c r="A1048576"><v>1</v></c></row>'),
  'deep records': () => `{"record":${'['.repeat(1_400_000)}${']'.repeat(1_400_000)}}`,
  'lines that are no records': () => '{\n'.repeat(FILE / 2),
  'a workbook of equal cells': () =>
    Buffer.from(workbook({ S: Array.from({ length: 20_000 }, () => new Array(30).fill('a')) })),
};
/** The extension of what is no CSV. */
const EXTENSIONS: Record<string, string> = {
  'a cell far away': '.xlsx',
  'a cell far away, in other quotes': '.xlsx',
  'the last row of a sheet': '.xlsx',
  'deep records': '.jsonl',
  'lines that are no records': '.jsonl',
  'a table that expands to 250 MB': '.csv.gz',
  'a table that expands to the most': '.csv.gz',
  'a workbook that expands': '.xlsx',
  'a workbook of equal cells': '.xlsx',
};

/** Small requests about what is large as it is stored, those that wait for each other, and files that are costly to read. */
export const STORED: Record<string, Family> = {
  'small bodies about large records': (target, random) => {
    const [path, caller] = one(
      [
        ['/v0/catalogue', target.callers.ORGANIZER],
        ['/console/v1/catalogue', target.callers.STAFF],
      ] as const,
      random,
    );
    const how = one(['as few as permitted', 'all', 'in versions', 'one, with an old version'], random);
    return {
      what: `${path}, ${how}`,
      prepare: () => largestOf(target),
      run: async (sender, signal) => {
        const all = await largestOf(target);
        const few = all.slice(0, how === 'all' ? undefined : how === 'as few as permitted' ? -1 : 1);
        const old = how === 'in versions' ? all : how === 'one, with an old version' ? few : [];
        const body = JSON.stringify({
          records: few.map(({ record }) => record),
          versions: Object.fromEntries(old.map(({ id }) => [id, 'old'])),
          dryRun: true,
        });
        const request: Sent = { method: 'PUT', path, headers: { ...caller, ...JSON_TYPE }, body };
        await flood(sender, signal, () => request);
      },
    };
  },

  'large records in the console': (target, random) => {
    const what = one(Object.keys(RECORDS), random);
    return {
      what,
      prepare: async () => void (await RECORDS[what]?.(target)),
      run: async (sender, signal) => {
        const paths = (await RECORDS[what]?.(target)) ?? [];
        const headers = target.callers.STAFF;
        let sent = 0;
        const next = (): Sent => ({ path: paths[sent++ % paths.length] as string, headers });
        await flood(sender, signal, next, CONNECTIONS);
      },
    };
  },

  'large import jobs': (target) => ({
    what: `${ROWS_OF_JOB} rows with ${PARTICIPANTS_OF_ROW} participants each`,
    prepare: () => largestJobOf(target),
    run: async (sender, signal) => {
      const path = await largestJobOf(target);
      await flood(sender, signal, () => ({ path, headers: target.importing.headers }), CONNECTIONS);
    },
  }),

  'plans of bibs': ({ timing, dataSource }) => ({
    what: `dry runs over ${CONNECTIONS} connections`,
    run: async (sender, signal) => {
      const [race] = await dataSource.query(
        'SELECT race_id AS id FROM start_list_entries WHERE organization_id = $1 AND participant_id = $2',
        [timing.organizationId, timing.participantIds[0]],
      );
      const ranges = Array.from({ length: 50 }, (_, n) => ({
        from: n * 4_000,
        to: n * 4_000 + 3_999,
        order: [{ by: 'NAME' }],
        teamsTogether: true,
      }));
      const request: Sent = {
        method: 'POST',
        path: `/v0/races/${race.id}/bib-plan`,
        headers: { ...timing.organizer.headers, ...JSON_TYPE },
        body: JSON.stringify({ dryRun: true, ranges }),
      };
      await flood(sender, signal, () => request, CONNECTIONS);
    },
  }),

  // Each waits for the lock of the organization's race day.
  'checked bibs of one race': ({ timing }, random) => {
    const run = random.between(1, 1e9);
    let sent = 0;
    return {
      what: `over ${CONNECTIONS} connections`,
      run: (sender, signal) =>
        flood(
          sender,
          signal,
          () => ({
            method: 'PATCH',
            path: `/v0/participants/${timing.participantIds[sent % timing.participantIds.length]}`,
            headers: { ...timing.organizer.headers, ...JSON_TYPE },
            body: JSON.stringify({ bibNumber: `${run}-${sent++}` }),
          }),
          CONNECTIONS,
        ),
    };
  },

  'files of events': (target, random) => {
    const what = one(Object.keys(FILES), random);
    const content = Buffer.from(FILES[what]?.() ?? '').toString('base64');
    return {
      what,
      run: (sender, signal) =>
        flood(sender, signal, () => ({
          method: 'POST',
          path: '/console/v1/catalogue/files',
          headers: { ...target.callers.STAFF, ...JSON_TYPE },
          body: JSON.stringify({ name: `calendar${EXTENSIONS[what] ?? '.csv'}`, content }),
        })),
    };
  },
};
