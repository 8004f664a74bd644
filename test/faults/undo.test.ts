import { Client } from 'pg';
import { discountCode, reservedEntryGroup, ticket } from '#libs/testing';
import { commandLine } from '../cli/startline';
import { eventually, startApi, type TestApi } from '../harness';
import { importRows } from '../imports/import';
import { expectCountsRight } from './recount';
import { Fleet } from './workers';

const BOOKINGS = 120;
const WORKER = {
  IMPORT_CHUNK_ROWS: '20',
  IMPORT_CHUNK_MS: '600000',
  SWEEP_MS: '500',
  JOB_LOCK_MS: '10000',
  JOB_BACKOFF_MS: '100',
  IDLE_TRANSACTION_MS: '10000',
};
let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi();
  fleet = new Fleet({ DATABASE_URL: api.databaseUrl, ...WORKER });
});
afterAll(async () => {
  await fleet.end();
  await api.close();
});

/** An import of bookings with bibs and a discount code. */
async function imported(): Promise<string> {
  const { organizationId } = api;
  const { id: ticketId, eventOccurrenceId } = await ticket(api.dataSource, { organizationId });
  const { code } = await discountCode(api.dataSource, { organizationId });
  await reservedEntryGroup(api.dataSource, { organizationId, ticketId });
  const person = (i: number) => ({ firstName: 'Ada', lastName: `${i}`, email: `runner-${i}@example.com` });
  const bookings = Array.from({ length: BOOKINGS }, (_, i) => ({
    externalBookingId: `order-${i}`,
    eventOccurrenceId,
    booker: person(i),
    participants: [{ ...person(i), ticketId, bibNumber: `${i}` }],
    ...(i % 3 === 0 && { discountCode: code }),
  }));
  return (await importRows(api, 'bookings/import', { bookings })).jobId;
}

it('an undo survives the death of its worker in mid-chunk: every booking is cancelled once', async () => {
  const [worker] = await fleet.workers(1);
  const jobId = await imported();
  const cli = await commandLine(api.databaseUrl);
  const holder = new Client({ connectionString: api.databaseUrl, application_name: 'holder' });
  await holder.connect();
  // A chunk updates this table after its bookings and entries: none can be committed now.
  await holder.query('BEGIN; LOCK TABLE add_on_allocations IN SHARE MODE');
  try {
    const { answer: undo } = await cli.run('import', 'undo', jobId);
    await eventually(async () => {
      const waiting = await api.dataSource.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND application_name = 'startline worker' AND query LIKE '%UPDATE add_on_allocations%'`,
      );
      return waiting.length > 0;
    });
    await worker?.kill();
    await holder.end();
    await fleet.workers(2);
    const { answer: done } = await cli.run('import', 'show', undo.jobId, '--follow');
    expect(done).toMatchObject({ status: 'COMPLETED', succeededRows: BOOKINGS, failedRows: 0 });
  } finally {
    await holder.end().catch(() => {});
    await cli.close();
  }
  const [found] = await api.dataSource.query(
    `SELECT count(*)::int AS entries, count(*) FILTER (WHERE jsonb_array_length(status_details) = 1)::int AS once,
       count(bib_number)::int AS bibs FROM start_list_entries e
     JOIN bookings b ON b.organization_id = e.organization_id AND b.id = e.booking_id AND b.status = 'CANCELLED'`,
  );
  expect(found).toEqual({ entries: BOOKINGS, once: BOOKINGS, bibs: 0 });
  await expectCountsRight(api.dataSource);
});
