import type { INestApplicationContext } from '@nestjs/common';
import {
  addOn,
  booking,
  discountCode,
  referralProgram,
  referrer,
  reservedEntryGroup,
  ticket,
} from '#libs/testing';
import { Maintenance } from '../../apps/worker/src/maintenance/maintenance';
import { startApi, startWorker, type TestApi } from '../harness';
import { everything, importRows } from './import';

let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  api = await startApi();
  worker = await startWorker(api, { STARTLINE_TEST_MAINTENANCE_MS: '3600000' });
  await api.get('/v0/change-events');
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
let serial = 0;
const pounds = (value: number) => ({ value, currencyCode: 'GBP' });

/** A batch for each surface: valid rows, one whose id already exists, and failing rows. */
type Batch = [path: string, method: string, body: object];
async function batches(): Promise<Batch[]> {
  const run = ++serial;
  const sold = await ticket(api.dataSource, mine({}));
  const { code } = await discountCode(api.dataSource, mine({ limitUsage: 2 }));
  const group = await reservedEntryGroup(api.dataSource, mine({ ticketId: sold.id, maxCapacity: 2 }));
  const { id: referralProgramId } = await referralProgram(api.dataSource, mine({}));
  const { generatedReferralCode } = await referrer(api.dataSource, mine({ referralProgramId }));
  const referred = await booking(api.dataSource, mine({ entries: 2 }));
  const bought = await booking(
    api.dataSource,
    mine({ totalValue: '0', entries: [{ externalParticipantId: `runner-${run}` }] }),
  );
  const { id: addOnId } = await addOn(api.dataSource, mine({ eventId: bought.eventId, title: 'Shirt' }));
  const person = (i: number) => ({
    firstName: 'Ada',
    lastName: `${i}`,
    email: `ada-${run}-${i}@example.com`,
  });
  const order = (i: number, more: object = {}) => ({
    externalBookingId: `dry-${run}-${i}`,
    eventOccurrenceId: sold.eventOccurrenceId,
    booker: person(i),
    participants: [
      { ...person(i), ticketId: sold.id, bibNumber: `${run}-${i % 5}`, team: { name: `Team ${i}` } },
    ],
    ...more,
  });
  const referral = { referralProgramId, generatedReferralCode };
  const addOns = [1, 2].map((quantity) => ({
    externalAllocationId: `allocation-${run}-${quantity}`,
    participantId: bought.entries[0]?.participantId,
    addOnId,
    quantity,
    unitPrice: pounds(1_500),
  }));
  const lineItems = [1, 2].map((i) => ({
    externalLineItemId: `fee-${run}-${i}`,
    externalBookingId: i === 1 ? bought.externalBookingId : `nobody-${run}`,
    itemType: 'BOOKING_FEE',
    name: 'Fee',
    amount: pounds(100),
  }));
  const credits = [1, 2].map((i) => ({
    externalCreditId: `credit-${run}-${i}`,
    email: person(i).email,
    amount: pounds(500),
    ...(i === 2 && { eventId: sold.id }),
  }));
  return [
    [
      'bookings/import',
      'POST',
      { bookings: [0, 1, 2, 3, 4, 5].map((i) => order(i, i > 1 ? { discountCode: code } : {})) },
    ],
    ['bookings/line-items/import', 'POST', { lineItems }],
    ['bookings/line-items/import', 'PUT', { lineItems }],
    ['add-ons/import', 'POST', { addOns }],
    ['add-ons/import', 'PUT', { addOns }],
    ['credits/import', 'POST', { credits }],
    [
      'discount-codes/import',
      'POST',
      {
        discountCodes: [`NEW${run}`, code].map((each) => ({
          code: each,
          discount: { type: 'PERCENTAGE', amount: 10, isAppliedToBookingFee: false },
        })),
      },
    ],
    [
      'referrals/import',
      'POST',
      {
        // The second row names the same booking by another id: it exists as soon as the first is imported.
        referrals: [
          { ...referral, referredBookingId: referred.id },
          { ...referral, referredExternalBookingId: referred.externalBookingId },
        ],
      },
    ],
    [
      'reserved-entries/participants/import',
      'POST',
      {
        assignments: [1, 2, 3].map((i) => ({
          externalAssignmentId: `place-${run}-${i}`,
          reservedEntryGroupId: group.id,
          ticketSlug: sold.slug,
          participant: person(i),
        })),
      },
    ],
  ];
}

const told = (job: any) =>
  job.results.map(({ outcome, error }: any) => [outcome, error?.code, error?.message]);

describe('an import with dryRun=true', () => {
  it('reports for each row what the import then does, on every surface, and writes nothing', async () => {
    const by = (wanted: string, all: Batch[]) => all.filter(([, method]) => method === wanted);
    const all = [...by('POST', await batches()), ...by('PUT', await batches())];
    const before = await everything(api);
    const foretold: any[] = [];
    for (const [path, method, body] of all) {
      const dry = await importRows(api, `${path}?dryRun=true`, body, { method });
      expect(dry).toMatchObject({ status: 'COMPLETED', dryRun: true, processedRows: dry.totalRows });
      foretold.push(dry);
    }
    expect(await everything(api)).toEqual(before);
    for (const [i, [path, method, body]] of all.entries()) {
      const dry = foretold[i];
      const real = await importRows(api, path, body, { method });
      expect(real.dryRun).toBe(false);
      expect([path, method, told(dry)]).toEqual([path, method, told(real)]);
      // Records that a dry run names existed before it.
      for (const [at, { row, outcome, alreadyImported, error, ...named }] of dry.results.entries()) {
        expect(real.results[at]).toMatchObject(named);
        const isOurs = (name: string) => !/^(external\w+|code)$/.test(name);
        if (outcome === 'IMPORTED') expect(Object.keys(named).filter(isOurs)).toEqual([]);
      }
    }
  });

  it('names the records that rows would replace, and existing ones', async () => {
    const [path, , body] = (await batches())[3] as Batch;
    const real = await importRows(api, path, body);
    const dry = await importRows(api, `${path}?dryRun=true`, body, { method: 'PUT' });
    const ids = ({ allocationId, lineItemId }: any) => ({ allocationId, lineItemId });
    expect(dry.results.map(({ outcome }: any) => outcome)).toEqual(['UPDATED', 'UPDATED']);
    expect(dry.results.map(ids)).toEqual(real.results.map(ids));
  });

  it('is marked in the response, the job and the list', async () => {
    const [path, , body] = (await batches())[5] as Batch;
    const { body: accepted } = await api.send('POST', `/v0/${path}?dryRun=true`, body);
    expect(accepted.dryRun).toBe(true);
    const { body: list } = await api.get('/v0/import-jobs?page[size]=1');
    expect(list.data).toMatchObject([{ jobId: accepted.jobId, dryRun: true }]);
    await api.client().finished(accepted, { everyMs: 10 });
    const { body: events } = await api.get('/v0/change-events?page[size]=500');
    expect(JSON.stringify(events)).not.toContain(accepted.jobId);
  });

  it('is a different request from the import itself, under one Idempotency-Key', async () => {
    const [path, , body] = (await batches())[5] as Batch;
    const headers = { 'idempotency-key': `dry-${serial}` };
    const post = (query: string) => api.send('POST', `/v0/${path}${query}`, body, undefined, headers);
    const first = await post('?dryRun=true');
    expect((await post('?dryRun=true')).body.jobId).toBe(first.body.jobId);
    expect((await post('')).status).toBe(400);
    expect((await post('?dryRun=maybe')).body.message).toBe('dryRun must be true or false');
  });

  it('can be retried, and still writes nothing', async () => {
    const [path, , body] = (await batches())[5] as Batch;
    const dry = await importRows(api, `${path}?dryRun=true`, body);
    expect(dry).toMatchObject({ succeededRows: 1, failedRows: 1 });
    const before = await everything(api);
    const again = await api.send('POST', `/v0/import-jobs/${dry.jobId}/retry`, undefined);
    const job = await api.client().finished(again.body, { everyMs: 10 });
    expect(job).toMatchObject({ dryRun: true, succeededRows: 1, failedRows: 1 });
    expect(await everything(api)).toEqual(before);
  });

  it('is deleted a day after its end, and other jobs are not', async () => {
    const [path, , body] = (await batches())[5] as Batch;
    const dry = await importRows(api, `${path}?dryRun=true`, body);
    const recent = await importRows(api, `${path}?dryRun=true`, body);
    const real = await importRows(api, path, body);
    await api.dataSource.query(
      `UPDATE import_jobs SET finished_at = now() - interval '25 hours' WHERE id = ANY ($1)`,
      [[dry.jobId, real.jobId]],
    );
    await worker.get(Maintenance).run();
    const status = async (jobId: string) => (await api.get(`/v0/${path}/${jobId}`)).status;
    expect([await status(dry.jobId), await status(recent.jobId), await status(real.jobId)]).toEqual([
      404, 200, 200,
    ]);
    expect(await api.dataSource.query('SELECT FROM import_rows WHERE job_id = $1', [dry.jobId])).toEqual([]);
  });
});
