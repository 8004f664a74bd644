import type { INestApplicationContext } from '@nestjs/common';
import { Client } from 'pg';
import { discountCode, reservedEntryGroup, ticket } from '#libs/testing';
import { Metrics } from '#platform/process';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { finished } from './import';

const HOUR = 3_600_000;

let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
afterEach(async () => {
  jest.restoreAllMocks();
  await worker.close();
});

const person = (i: number) => ({ firstName: 'Ada', lastName: `${i}`, email: `runner-${i}@example.com` });

interface Kind {
  path: string;
  /** Holds the lock of the thing until the connection ends. */
  lock: string;
  lockValues: string[];
  /** The body of a job. */
  body(job: number, rows: number): object;
}

/** What jobs compete for. */
const KINDS: Record<string, () => Promise<Kind>> = {
  'the bibs of a race': async () => {
    const sold = await ticket(api.dataSource, { organizationId: api.organizationId });
    return {
      path: 'bookings/import',
      lock: `SELECT pg_advisory_xact_lock(hashtextextended('bibs/' || $1 || '/' || $2, 0))`,
      lockValues: [api.organizationId, sold.raceId],
      body: (job, rows) => bookings(sold, job, rows, (i) => ({ bibNumber: `${job}-${i}` })),
    };
  },
  'a discount code': async () => {
    const sold = await ticket(api.dataSource, { organizationId: api.organizationId });
    const { id, code } = await discountCode(api.dataSource, { organizationId: api.organizationId });
    return {
      path: 'bookings/import',
      lock: 'SELECT FROM discount_codes WHERE organization_id = $1 AND id = $2 FOR UPDATE',
      lockValues: [api.organizationId, id],
      // Spellings that the import does not distinguish.
      body: (job, rows) => bookings(sold, job, rows, undefined, job % 2 ? code : ` ${code.toLowerCase()}`),
    };
  },
  'a reserved entry group': async () => {
    const { id: ticketId, slug } = await ticket(api.dataSource, { organizationId: api.organizationId });
    const given = { organizationId: api.organizationId, ticketId, maxCapacity: 10_000 };
    const group = await reservedEntryGroup(api.dataSource, given);
    return {
      path: 'reserved-entries/participants/import',
      lock: 'SELECT FROM reserved_entry_groups WHERE organization_id = $1 AND id = $2 FOR UPDATE',
      lockValues: [api.organizationId, group.id],
      body: (job, rows) => ({
        assignments: Array.from({ length: rows }, (_, i) => ({
          externalAssignmentId: `${group.id}/${job}/${i}`,
          reservedEntryGroupId: group.id,
          ticketSlug: slug,
          participant: person(i),
        })),
      }),
    };
  },
};

const bookings = (
  { id: ticketId, eventOccurrenceId }: { id: string; eventOccurrenceId: string },
  job: number,
  rows: number,
  participant: (i: number) => object = () => ({}),
  code?: string,
) => ({
  bookings: Array.from({ length: rows }, (_, i) => ({
    externalBookingId: `${ticketId}/${job}/${i}`,
    eventOccurrenceId,
    booker: person(i),
    participants: [{ ...person(i), ticketId, ...participant(i) }],
    ...(code && { discountCode: code }),
  })),
});

async function post({ path, body }: Kind, job: number, rows: number): Promise<string> {
  const { body: accepted, text } = await api.send('POST', `/v0/${path}`, body(job, rows));
  if (!accepted.jobId) throw new Error(text);
  return accepted.jobId;
}

/** How many rows each transaction of a job wrote, in order. */
const chunks = async (jobId: string): Promise<number[]> =>
  (
    await api.dataSource.query(
      `SELECT count(*)::int AS entries FROM start_list_entries
       WHERE metadata -> 'startline' ->> 'importJobId' = $1
       GROUP BY xmin ORDER BY min((metadata -> 'startline' ->> 'importRow')::int)`,
      [jobId],
    )
  ).map(({ entries }: { entries: number }) => entries);

/** Holds a lock until `release`. */
async function held(lock: string, values: string[] = []): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query(lock, values);
  return () => client.end();
}

/** The imports of the worker that wait for a lock. Race-day work can wait for its own at the same time. */
const waits = (): Promise<{ query: string; xid: string | null }[]> =>
  api.dataSource.query(
    `SELECT query, backend_xid AS xid FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'startline worker'
       AND query NOT LIKE '%''race-day/''%'`,
  );
const waiting = (count: number) =>
  eventually(async () => {
    const found = await waits();
    return found.length === count && found;
  });

const lockTimeouts = async (): Promise<number> => {
  const text = await worker.get(Metrics, { strict: false }).text();
  return Number(/^startline_import_retries_total\{reason="lock"\} (\d+)/m.exec(text)?.[1]);
};

/** Sets the clock of this process forward. */
const later = (ms: number) => {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
};

describe.each(Object.keys(KINDS))('jobs that compete for %s', (name) => {
  let kind: Kind;
  beforeEach(async () => {
    kind = await (KINDS[name] as () => Promise<Kind>)();
  });

  it('wait before their transaction begins, and time out at no lock', async () => {
    // A transaction lasts as long as the test blocks it.
    worker = await startWorker(api, { STARTLINE_TEST_IMPORT_CHUNK_MS: '600000' });
    const release = await held('LOCK TABLE line_items IN SHARE MODE');
    const jobs = await Promise.all([1, 2, 3].map((job) => post(kind, job, 10)));
    const found = await waiting(3);
    await release();
    const [writes, ...queued] = found.sort((a, b) => Number(a.xid === null) - Number(b.xid === null));
    expect(writes).toMatchObject({ query: expect.stringMatching(/^INSERT INTO line_items/) });
    // Without an id, a transaction does not hold back the watermark.
    expect(queued).toEqual([
      { query: expect.stringContaining('pg_advisory_lock'), xid: null },
      { query: expect.stringContaining('pg_advisory_lock'), xid: null },
    ]);
    for (const job of jobs)
      expect(await finished(api, kind.path, job)).toMatchObject({ status: 'COMPLETED', succeededRows: 10 });
    expect(await lockTimeouts()).toBe(0);
    const locks = await api.dataSource.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = 5717255
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(locks).toEqual([]);
  });

  it('keep the size of their transactions while they wait for each other', async () => {
    worker = await startWorker(api, { STARTLINE_TEST_IMPORT_CHUNK_MS: '600000' });
    const release = await held('LOCK TABLE line_items IN SHARE MODE');
    const first = await post(kind, 1, 10);
    await waiting(1);
    const second = await post(kind, 2, 1_100);
    await waiting(2);
    later(HOUR);
    await release();
    for (const job of [first, second]) await finished(api, kind.path, job);
    expect(await chunks(second)).toEqual([500, 600]);
  });

  it('keep the size of their transactions while they wait for others', async () => {
    worker = await startWorker(api, { STARTLINE_TEST_IMPORT_CHUNK_MS: '600000' });
    const release = await held(kind.lock, kind.lockValues);
    const job = await post(kind, 1, 1_100);
    await waiting(1);
    later(HOUR);
    await release();
    await finished(api, kind.path, job);
    expect(await chunks(job)).toEqual([500, 600]);
  });

  it('are done without a lock timeout with the usual settings', async () => {
    worker = await startWorker(api);
    const jobs = await Promise.all([1, 2, 3, 4].map((job) => post(kind, job, 250)));
    for (const job of jobs)
      expect(await finished(api, kind.path, job)).toMatchObject({ status: 'COMPLETED', succeededRows: 250 });
    expect(await lockTimeouts()).toBe(0);
  });
});

it('a new booking that another job imports while corrections wait is corrected', async () => {
  const sold = await ticket(api.dataSource, { organizationId: api.organizationId });
  const [known, fresh] = bookings(sold, 1, 2).bookings;
  worker = await startWorker(api, { STARTLINE_TEST_IMPORT_CHUNK_MS: '600000' });
  const path = 'bookings/import';
  const send = async (method: string, query: string, rows: unknown[]): Promise<string> =>
    (await api.send(method, `/v0/${path}${query}`, { bookings: rows })).body.jobId;
  await finished(api, path, await send('POST', '', [known]));
  const entries = 'SELECT FROM start_list_entries WHERE organization_id = $1 AND ticket_id = $2 FOR UPDATE';
  const release = await held(entries, [api.organizationId, sold.id]);
  const better = { ...fresh, booker: { ...person(1), firstName: 'Grace' } };
  const job = await send('PUT', '?create=true', [known, better]);
  await waiting(1);
  expect(await finished(api, path, await send('POST', '', [fresh]))).toMatchObject({ succeededRows: 1 });
  await release();
  const { results } = await finished(api, path, job);
  expect(results.map(({ outcome }: any) => outcome)).toEqual(['UNCHANGED', 'UPDATED']);
});

it('jobs with different codes in each row do not wait for each other', async () => {
  const sold = await ticket(api.dataSource, { organizationId: api.organizationId });
  const codes = await Promise.all(
    [1, 2].map(() => discountCode(api.dataSource, { organizationId: api.organizationId })),
  );
  worker = await startWorker(api, { STARTLINE_TEST_IMPORT_CHUNK_MS: '600000' });
  const release = await held('LOCK TABLE line_items IN SHARE MODE');
  for (const [job, { code }] of codes.entries()) {
    const body = () => bookings(sold, job, 1, undefined, code);
    await post({ path: 'bookings/import', lock: '', lockValues: [], body }, job, 1);
  }
  const both = await waiting(2);
  await release();
  expect(both.map(({ query }) => query.slice(0, 22))).toEqual([
    'INSERT INTO line_items',
    'INSERT INTO line_items',
  ]);
});

it('a wait for other jobs that times out keeps no lock, and costs no row', async () => {
  const kind = await (KINDS['the bibs of a race'] as () => Promise<Kind>)();
  const { code } = await discountCode(api.dataSource, { organizationId: api.organizationId });
  worker = await startWorker(api, { STATEMENT_TIMEOUT_MS: '250', STARTLINE_TEST_IMPORT_CHUNK_MS: '600000' });
  // Another process has the turn of the race, and none has that of the code.
  const release = await held(
    `SELECT pg_advisory_xact_lock(5717255, hashtext($1 || '/bibs/' || $2) & 2147483647)`,
    kind.lockValues,
  );
  const body = kind.body(1, 5) as { bookings: object[] };
  const rows = body.bookings.map((row) => ({ ...row, discountCode: code }));
  const job = await post({ ...kind, body: () => ({ bookings: rows }) }, 1, 5);
  await eventually(async () => (await lockTimeouts()) > 0);
  await release();
  expect(await finished(api, kind.path, job)).toMatchObject({ status: 'COMPLETED', succeededRows: 5 });
});
