import { join } from 'node:path';
import { Client } from 'pg';
import { key, organization, ticket } from '#libs/testing';
import { eventually, startApi, type TestApi } from '../harness';
import { Fleet } from './workers';

const WORKER = {
  NODE_OPTIONS: `--require ${join(__dirname, 'poison.cjs')}`,
  STARTLINE_TEST_SWEEP_MS: '500',
  // On a busy machine, processes are silent for longer than a second, which would count as a crash.
  STARTLINE_TEST_SILENT_MS: '10000',
  SHUTDOWN_MS: '500',
  // A transaction waits for as long as a test blocks it.
  STARTLINE_TEST_IMPORT_CHUNK_MS: '600000',
};

let api: TestApi;
let fleet: Fleet;
/** Replaces the fleet by one with these settings. */
async function useFleet(more: Record<string, string> = {}): Promise<void> {
  await fleet?.end();
  fleet = new Fleet({ DATABASE_URL: api.databaseUrl, ...WORKER, ...more });
}
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(() => useFleet());
afterEach(() => fleet.end());

const credits = (names: string[]) => ({
  credits: names.map((reason, i) => ({
    externalCreditId: `${names.length}-${Math.random()}-${i}`,
    email: `runner-${i}@example.com`,
    amount: { value: 100, currencyCode: 'GBP' },
    reason,
  })),
});

async function post(names: string[], token?: string): Promise<string> {
  const { body, text } = await api.send('POST', '/v0/credits/import', credits(names), token);
  if (!body.jobId) throw new Error(text);
  return `/v0/credits/import/${body.jobId}`;
}

const rows = (count: number, poison: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, i) => poison[i] ?? `row ${i}`);

const finished = (job: string, token?: string) =>
  eventually(async () => {
    const { body } = await api.get(job, token);
    return body.finishedAt && body;
  });

const died = (worker: { isAlive: boolean } | undefined) => eventually(async () => !worker?.isAlive);
const attempts = (): Promise<{ worker_id: string | null; ends: number }[]> =>
  api.dataSource.query('SELECT worker_id, ends FROM import_attempts');

describe('a row that crashes the process that reads it', () => {
  it('ends one worker, then fails alone, while other rows and organizations are processed', async () => {
    const [first] = await fleet.workers(1);
    const job = await post(rows(20, { 7: 'POISON kill' }));
    await died(first);
    const { id } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId: id });
    const beside = await post(rows(3), token);
    const [second] = await fleet.workers(1);
    expect(await finished(beside, token)).toMatchObject({ status: 'COMPLETED', succeededRows: 3 });
    const done = await finished(job);
    expect(done).toMatchObject({ status: 'COMPLETED', succeededRows: 19, failedRows: 1 });
    expect(done.errors).toMatchObject([{ row: 7, code: 'INTERNAL' }]);
    expect(second?.isAlive).toBe(true);
    expect(await attempts()).toEqual([]);
  });

  it('may hang the worker instead of ending it', async () => {
    const [first] = await fleet.workers(1);
    const job = await post(rows(1, { 0: 'POISON hang' }));
    await eventually(async () => (await attempts()).length > 0);
    await first?.kill();
    await fleet.workers(1);
    const done = await finished(job);
    expect(done).toMatchObject({ status: 'COMPLETED', succeededRows: 0, failedRows: 1 });
    expect(done.errors).toMatchObject([{ row: 0, code: 'INTERNAL' }]);
  });

  it('fails its job if there are too many such rows', async () => {
    await useFleet({ STARTLINE_TEST_IMPORT_CRASH_LIMIT: '4' });
    const [first] = await fleet.workers(1);
    const job = await post(rows(4, { 0: 'POISON kill', 2: 'POISON kill' }));
    await died(first);
    const [second] = await fleet.workers(1);
    const done = await finished(job);
    expect(done).toMatchObject({
      status: 'FAILED',
      failure: expect.stringContaining('crashed the worker repeatedly'),
    });
    expect(done.processedRows).toBeLessThan(4);
    expect(second?.isAlive).toBe(true);
  });
});

describe('an external kill of the worker', () => {
  // The failed job above keeps its recorded attempts.
  beforeAll(() => api.dataSource.query('DELETE FROM import_attempts'));
  beforeEach(() => useFleet({ SHUTDOWN_MS: '3000' }));

  /** Blocks the commit of booking imports. */
  async function held(): Promise<() => Promise<void>> {
    const client = new Client({ connectionString: api.databaseUrl });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE line_items IN SHARE MODE');
    return () => client.end();
  }

  async function booking(): Promise<string> {
    const { id: ticketId, eventOccurrenceId } = await ticket(api.dataSource, {
      organizationId: api.organizationId,
    });
    const person = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
    const bookings = [
      {
        externalBookingId: ticketId,
        eventOccurrenceId,
        booker: person,
        participants: [{ ...person, ticketId }],
      },
    ];
    const { body } = await api.send('POST', '/v0/bookings/import', { bookings });
    return `/v0/bookings/import/${body.jobId}`;
  }

  it.each(['SIGKILL', 'SIGTERM'] as const)('with %s fails no row', async (signal) => {
    const [worker] = await fleet.workers(1);
    const release = await held();
    const job = await booking();
    await eventually(async () => (await attempts()).some(({ worker_id }) => worker_id));
    worker?.child.kill(signal);
    await died(worker);
    if (signal === 'SIGTERM')
      await eventually(async () => {
        const [attempt] = await attempts();
        return attempt && attempt.worker_id === null && attempt.ends === 0;
      });
    await release();
    await fleet.workers(1);
    expect(await finished(job)).toMatchObject({ status: 'COMPLETED', succeededRows: 1 });
    expect(await attempts()).toEqual([]);
  });
});
