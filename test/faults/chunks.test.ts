import { Client } from 'pg';
import { discountCode, reservedEntryGroup, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { commandLine } from '../cli/startline';
import { eventually, startApi, type TestApi } from '../harness';
import { finished, importRows, sale } from '../imports/import';
import { expectCountsRight } from './recount';
import { Fleet, SMALL_CHUNKS } from './workers';

const ROWS = 120;
const PATH = 'bookings/import';

let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi();
  fleet = new Fleet({ DATABASE_URL: api.databaseUrl, ...SMALL_CHUNKS });
});
afterAll(async () => {
  await fleet.end();
  await api.close();
});

const bookings = async () => {
  const [{ all, different }] = await api.dataSource.query(
    `SELECT count(*)::int AS all, count(DISTINCT external_booking_id)::int AS different FROM bookings WHERE organization_id = $1`,
    [api.organizationId],
  );
  return [all, different];
};

/**
 * Kills the only worker in the middle of a chunk, and starts others, which end the job.
 *
 * @param table a chunk writes it after its bookings and entries: while it is locked, none can be committed
 */
async function killedBefore(table: string): Promise<void> {
  const holder = new Client({ connectionString: api.databaseUrl, application_name: 'holder' });
  await holder.connect();
  try {
    await holder.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
    const [worker] = await fleet.workers(1);
    await eventually(async () => {
      const waiting = await api.dataSource.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND application_name = 'startline worker' AND query LIKE '%' || $1 || '%'`,
        [table],
      );
      return waiting.length > 0;
    });
    await worker?.kill();
  } finally {
    await holder.end();
  }
  await fleet.workers(2);
}

it('a dry run, its corrections and their import survive the death of a worker in mid-chunk: every row is imported once', async () => {
  const { row, participant } = await sale(api);
  const right = Array.from({ length: ROWS }, () => row());
  const wrong = { participants: [participant({ ticketId: newId() })] };
  const rows = right.map((_, i) => i).filter((i) => i % 3 === 0);
  await fleet.workers(2);
  const dryRun = await importRows(api, `${PATH}?dryRun=true`, {
    bookings: right.map((each, i) => (i % 3 === 0 ? { ...each, ...wrong } : each)),
  });
  await importRows(api, `${PATH}?dryRun=true`, {
    bookings: rows.map((i) => right[i]),
    corrects: { jobId: dryRun.jobId, rows },
  });
  await fleet.workers(0);
  const applied = await api.send('POST', `/v0/import-jobs/${dryRun.jobId}/apply`, undefined);
  const { jobId } = applied.body as { jobId: string };
  await killedBefore('line_items');
  expect(await finished(api, PATH, jobId)).toMatchObject({
    status: 'COMPLETED',
    succeededRows: ROWS,
    failedRows: 0,
  });
  const again = await api.send('POST', `/v0/import-jobs/${dryRun.jobId}/apply`, undefined);
  expect((again.body as any).jobId).toBe(jobId);
  expect(await bookings()).toEqual([ROWS, ROWS]);
  await expectCountsRight(api.dataSource);
});

it('a correction survives the death of its worker in mid-chunk: every failed row is imported once', async () => {
  const { row, participant } = await sale(api);
  const [before = 0] = await bookings();
  const right = Array.from({ length: ROWS }, () => row());
  const wrong = { participants: [participant({ ticketId: newId() })] };
  const failed = await importRows(api, PATH, { bookings: right.map((each) => ({ ...each, ...wrong })) });
  expect(failed.failedRows).toBe(ROWS);
  await fleet.workers(0);
  const corrects = { jobId: failed.jobId, rows: right.map((_, i) => i) };
  const send = () => api.send('POST', `/v0/${PATH}`, { bookings: right, corrects });
  const { body } = (await send()) as any;
  expect((await send()).status).toBe(400);
  await killedBefore('line_items');
  expect(await finished(api, PATH, body.jobId)).toMatchObject({ status: 'COMPLETED', succeededRows: ROWS });
  const { body: first } = await api.get(`/v0/${PATH}/${failed.jobId}`);
  expect(first).toMatchObject({ failedRows: ROWS, correctedRows: ROWS, openRows: 0, corrections: 1 });
  expect(await bookings()).toEqual([before + ROWS, before + ROWS]);
  await expectCountsRight(api.dataSource);
});

/** An import of bookings with bibs and a discount code. */
async function imported(): Promise<string> {
  const { organizationId } = api;
  const { id: ticketId, eventOccurrenceId } = await ticket(api.dataSource, { organizationId });
  const { code } = await discountCode(api.dataSource, { organizationId });
  await reservedEntryGroup(api.dataSource, { organizationId, ticketId });
  const person = (i: number) => ({ firstName: 'Ada', lastName: `${i}`, email: `runner-${i}@example.com` });
  const bookings = Array.from({ length: ROWS }, (_, i) => ({
    externalBookingId: `undone-${i}`,
    eventOccurrenceId,
    booker: person(i),
    participants: [{ ...person(i), ticketId, bibNumber: `${i}` }],
    ...(i % 3 === 0 && { discountCode: code }),
  }));
  return (await importRows(api, 'bookings/import', { bookings })).jobId;
}

it('an undo survives the death of its worker in mid-chunk: every booking is cancelled once', async () => {
  await fleet.workers(1);
  const jobId = await imported();
  await fleet.workers(0);
  const cli = await commandLine(api.databaseUrl);
  try {
    const { answer: undo } = await cli.run('import', 'undo', jobId);
    await killedBefore('add_on_allocations');
    const { answer: done } = await cli.run('import', 'show', undo.jobId, '--follow');
    expect(done).toMatchObject({ status: 'COMPLETED', succeededRows: ROWS, failedRows: 0 });
  } finally {
    await cli.close();
  }
  const [found] = await api.dataSource.query(
    `SELECT count(*)::int AS entries, count(*) FILTER (WHERE jsonb_array_length(status_details) = 1)::int AS once,
       count(bib_number)::int AS bibs FROM start_list_entries e
     JOIN bookings b ON b.organization_id = e.organization_id AND b.id = e.booking_id AND b.status = 'CANCELLED'`,
  );
  expect(found).toEqual({ entries: ROWS, once: ROWS, bibs: 0 });
  await expectCountsRight(api.dataSource);
});
