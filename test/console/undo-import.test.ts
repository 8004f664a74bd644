import type { INestApplicationContext } from '@nestjs/common';
import { addOn, discountCode, organization, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { type CommandLine, commandLine } from '../cli/startline';
import { expectCountsRight } from '../faults/recount';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { importRows } from '../imports/import';
import { type Browser, signedIn, workDone } from './console';

let api: TestApi;
let worker: INestApplicationContext;
let cli: CommandLine;
let manager: Browser;
beforeAll(async () => {
  api = await startApi({ RATE_SIGN_IN: '1000', RATE_IMPORT: '1000' });
  worker = await startWorker(api);
  cli = await commandLine(api.databaseUrl);
  manager = (await signedIn(api, 'MANAGER')).browser;
});
afterAll(async () => {
  await cli.close();
  await worker.close();
  await api.close();
});

let serial = 0;

/** Imports so many bookings, each with one participant. */
async function imported(count: number, more: (i: number) => object = () => ({}), path = '') {
  const {
    id: ticketId,
    eventOccurrenceId,
    raceId,
    eventId,
  } = await ticket(api.dataSource, {
    organizationId: api.organizationId,
  });
  const bookings = Array.from({ length: count }, (_, i) => ({
    externalBookingId: `undo-${++serial}`,
    eventOccurrenceId,
    booker: { email: `undo-${serial}@example.com`, firstName: 'Ada', lastName: 'Lovelace' },
    participants: [{ ticketId, firstName: 'Ada', lastName: `${serial}`, ...more(i) }],
  }));
  const job = await importRows(api, `bookings/import${path}`, { bookings });
  const results: { bookingId: string; participantIds: string[]; externalBookingId: string }[] = job.results;
  return { job, jobId: job.jobId as string, bookings, results, raceId, eventId, ticketId };
}

/** Another booking of the same ticket. */
const bookingLike = (booking: object) => ({ ...booking, externalBookingId: `undo-${++serial}` });

const preview = (id: string, browser = manager) => browser.ask('GET', `/v0/import-jobs/${id}/undo`);
const undo = (id: string, body: object = {}, browser = manager) =>
  browser.ask('POST', `/v0/import-jobs/${id}/undo`, body);
const ended = (id: string) =>
  eventually(async () => {
    const { body } = await manager.ask('GET', `/console/v1/import-jobs/${id}`);
    return ['COMPLETED', 'FAILED'].includes(body.status) && body;
  });
const rowsOf = async (id: string) =>
  (await manager.ask('GET', `/console/v1/import-jobs/${id}/rows`)).body.data as any[];
const statusOf = async (bookingId: string) => (await api.get(`/v0/bookings/${bookingId}`)).body.status;
const setRaceDay = (participantId: string, body: object) =>
  api.send('PATCH', `/v0/participants/${participantId}/race-day`, body);

/** What others do to a booking after its import, by the reason that the preview gives. */
const CHANGES: Record<
  string,
  (booking: { bookingId: string; participantIds: string[] }, eventId: string) => Promise<unknown>
> = {
  LINE_ITEMS: ({ bookingId }) =>
    importRows(api, 'bookings/line-items/import', {
      lineItems: [
        {
          externalLineItemId: `fee-${++serial}`,
          bookingId,
          itemType: 'BOOKING_FEE',
          name: 'Fee',
          amount: { value: 100, currencyCode: 'GBP' },
        },
      ],
    }),
  ADD_ONS: async ({ participantIds: [participantId] }, eventId) => {
    const { id: addOnId } = await addOn(api.dataSource, { organizationId: api.organizationId, eventId });
    return importRows(api, 'add-ons/import', {
      addOns: [
        {
          externalAllocationId: `shirt-${++serial}`,
          participantId,
          addOnId,
          quantity: 1,
          unitPrice: { value: 0, currencyCode: 'ZERO' },
        },
      ],
    });
  },
  RACE_DAY: ({ participantIds: [participantId = ''] }) =>
    setRaceDay(participantId, { customFields: [{ id: 'checkIn', value: true }] }),
  REDACTED: async ({ participantIds: [participantId] }) =>
    workDone(manager, (await manager.ask('POST', `/console/v1/participants/${participantId}/redact`)).body),
  TRANSFERRED: ({ participantIds: [participantId] }) =>
    api.send('POST', `/v0/participants/${participantId}/transfer`, {
      ...{ firstName: 'Grace', lastName: 'Hopper', email: `grace-${++serial}@example.com` },
    }),
  DECISION: ({ bookingId }) =>
    api.dataSource.query(
      `UPDATE start_list_entries SET status_details = '[{"status": "APPROVED", "at": "2026-01-01T00:00:00.000000Z", "reason": null}]'
       WHERE organization_id = $1 AND booking_id = $2`,
      [api.organizationId, bookingId],
    ),
};

describe('the preview of an undo', () => {
  it('counts bookings in three groups, with reasons and examples', async () => {
    const { jobId, results, eventId } = await imported(9);
    const [first, second, ...others] = results;
    for (const [i, change] of Object.values(CHANGES).entries()) await change(others[i] as never, eventId);
    await api.send('DELETE', `/v0/bookings/${first?.bookingId}`, undefined);
    const { status, body } = await preview(jobId);
    expect(status).toBe(200);
    expect(body.canBeUndone).toMatchObject({
      records: 2,
      reasons: [],
      examples: [{ row: 1, id: second?.bookingId, reasons: [] }, { row: 8 }],
    });
    expect(body.changedSince.records).toBe(6);
    expect(body.changedSince.examples.map(({ reasons }: any) => reasons)).toEqual(
      Object.keys(CHANGES).map((reason) => [reason]),
    );
    expect(body.changedSince.reasons).toHaveLength(6);
    expect(body.cannotBeUndone).toMatchObject({
      records: 1,
      reasons: [{ reason: 'ALREADY_CANCELLED', records: 1 }],
      examples: [{ row: 0, id: first?.bookingId }],
    });
  });

  it('does not count what changes nothing but updatedAt, nor the import’s own bibs and discounts', async () => {
    const { jobId, results } = await imported(2, (i) => ({ bibNumber: `U${i}`, tags: ['club'] }));
    await api.dataSource.query(
      'UPDATE start_list_entries SET updated_at = clock_timestamp() WHERE organization_id = $1 AND booking_id = $2',
      [api.organizationId, results[0]?.bookingId],
    );
    const { body } = await preview(jobId);
    expect([body.canBeUndone.records, body.changedSince.records]).toEqual([2, 0]);
  });

  it('says that bookings which the import corrected are not its own', async () => {
    const { bookings } = await imported(2);
    const [first] = bookings;
    const corrected = { ...first, booker: { ...first?.booker, lastName: 'King' } };
    const job = await importRows(api, 'bookings/import', { bookings: [corrected] }, { method: 'PUT' });
    const { body } = await preview(job.jobId);
    expect(body.cannotBeUndone).toMatchObject({ records: 1, reasons: [{ reason: 'CORRECTED' }] });
    const { status, body: refusal } = await undo(job.jobId);
    expect([status, refusal.message]).toEqual([400, expect.stringContaining('no record to cancel')]);
  });

  it('has at most 20 examples of a group', async () => {
    const { jobId } = await imported(25);
    const { body } = await preview(jobId);
    expect([body.canBeUndone.records, body.canBeUndone.examples.length]).toEqual([25, 20]);
  });
});

describe('an undo', () => {
  it('cancels what the import made by a job with outcomes, and frees what it took', async () => {
    const { jobId, results, bookings, raceId } = await imported(3, (i) => ({ bibNumber: `${i}` }));
    const kept = await imported(1);
    const { status, body } = await undo(jobId);
    expect([status, body]).toMatchObject([200, { undoes: jobId, totalRows: 3 }]);
    const job = await ended(body.jobId);
    expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: 3, failedRows: 0 });
    expect(job).toMatchObject({ mode: 'UNDO', sentBy: expect.stringMatching(/^manager-/) });
    expect(await rowsOf(job.jobId)).toMatchObject(
      results.map(({ bookingId, externalBookingId }, row) => ({
        row,
        outcome: 'CANCELLED',
        bookingId,
        externalBookingId,
      })),
    );
    for (const { bookingId } of results) expect(await statusOf(bookingId)).toBe('CANCELLED');
    expect(await statusOf(kept.results[0]?.bookingId ?? '')).toBe('CONFIRMED');
    const [{ places, bibs }] = await api.dataSource.query(
      `SELECT tally($1, 'racePlaces', $2)::int AS places, (SELECT count(*)::int FROM start_list_entries
         WHERE organization_id = $1 AND race_id = $2 AND bib_number IS NOT NULL) AS bibs`,
      [api.organizationId, raceId],
    );
    expect([places, bibs]).toEqual([0, 0]);
    const again = await importRows(api, 'bookings/import', { bookings });
    expect(again.succeededRows).toBe(3);
    const original = await manager.ask('GET', `/console/v1/import-jobs/${jobId}`);
    expect(original.body.undoneBy).toBe(job.jobId);
    await expectCountsRight(api.dataSource);
  });

  it('leaves bookings that have changed alone, unless they are included', async () => {
    const { jobId, results } = await imported(2);
    await CHANGES.RACE_DAY?.(results[0] as never, '');
    const first = await ended((await undo(jobId)).body.jobId);
    expect([first.totalRows, first.succeededRows]).toEqual([1, 1]);
    expect(await statusOf(results[0]?.bookingId ?? '')).toBe('CONFIRMED');
    expect((await undo(jobId)).body.message).toContain('no record to cancel');
    const second = await ended((await undo(jobId, { includeChanged: true })).body.jobId);
    expect([second.totalRows, second.succeededRows]).toEqual([1, 1]);
    expect(await statusOf(results[0]?.bookingId ?? '')).toBe('CANCELLED');
  });

  it('checks again what changed between the request and the job', async () => {
    await worker.close();
    const { jobId, results } = await (async () => {
      const temporary = await startWorker(api);
      try {
        return await imported(3);
      } finally {
        await temporary.close();
      }
    })();
    const { body } = await undo(jobId);
    const [changed, cancelled] = results;
    await setRaceDay(changed?.participantIds[0] ?? '', { bibNumber: 'LATE' });
    await api.send('DELETE', `/v0/bookings/${cancelled?.bookingId}`, undefined);
    worker = await startWorker(api);
    const job = await ended(body.jobId);
    expect(job).toMatchObject({ succeededRows: 1, alreadyImportedRows: 1, failedRows: 1 });
    expect((await rowsOf(job.jobId)).map(({ outcome, error }) => [outcome, error?.code])).toEqual([
      ['FAILED', 'CHANGED_SINCE_IMPORT'],
      ['UNCHANGED', undefined],
      ['CANCELLED', undefined],
    ]);
    expect(await statusOf(changed?.bookingId ?? '')).toBe('CONFIRMED');
  });

  it('that is not finished is answered again, also to requests at the same time', async () => {
    const { jobId } = await imported(5);
    await worker.close();
    const answers = await Promise.all(Array.from({ length: 5 }, () => undo(jobId)));
    expect(new Set(answers.map(({ body }) => body.jobId)).size).toBe(1);
    worker = await startWorker(api);
    await ended(answers[0]?.body.jobId as string);
    const log = await manager.ask('GET', `/console/v1/audit-log?action=import.undo&objectId=${jobId}`);
    expect(log.body.data).toMatchObject([
      {
        actorType: 'STAFF',
        details: { records: 5, includeChanged: false, undoJobId: answers[0]?.body.jobId },
      },
    ]);
  });

  it('excludes a retry of the import, and an undo that includes more, until it is finished', async () => {
    // The last booking fails until its code exists.
    const { jobId, results, bookings } = await imported(3);
    const failing = await importRows(api, 'bookings/import', {
      bookings: [
        bookingLike(bookings[0] as object),
        { ...bookingLike(bookings[0] as object), discountCode: `LATER-${serial}` },
      ],
    });
    expect([failing.succeededRows, failing.failedRows]).toEqual([1, 1]);
    await discountCode(api.dataSource, {
      organizationId: api.organizationId,
      code: `LATER-${serial}`,
    });
    const [{ bookingId }] = failing.results;
    const holding = api.dataSource.createQueryRunner();
    await holding.startTransaction();
    try {
      await holding.query('SELECT FROM bookings WHERE id = $1 FOR UPDATE', [bookingId]);
      const { body: first } = await undo(failing.jobId);
      const retried = await api.send('POST', `/v0/import-jobs/${failing.jobId}/retry`, undefined);
      expect([retried.status, retried.body.message]).toEqual([
        400,
        expect.stringContaining('is being undone'),
      ]);
      const wider = await undo(failing.jobId, { includeChanged: true });
      expect([wider.status, wider.body.message]).toEqual([
        400,
        expect.stringContaining('already being undone'),
      ]);
      expect((await undo(failing.jobId)).body.jobId).toBe(first.jobId);
      const onCli = await cli.run('import', 'retry', failing.jobId);
      expect([onCli.code, onCli.answer.error]).toEqual([1, 'REFUSED']);
      await holding.rollbackTransaction();
      expect(await ended(first.jobId)).toMatchObject({ status: 'COMPLETED', succeededRows: 1 });
    } finally {
      if (holding.isTransactionActive) await holding.rollbackTransaction();
      await holding.release();
    }
    expect(await statusOf(bookingId)).toBe('CANCELLED');
    expect(await statusOf(String(results[0]?.bookingId))).toBe('CONFIRMED');
    // Nothing has failed in the first import, so there is nothing to do again.
    const { body } = await api.send('POST', `/v0/import-jobs/${jobId}/retry`, undefined);
    expect(body.status).toBe('COMPLETED');
  });

  it('is refused for other jobs, and for jobs that are not finished', async () => {
    const { jobId, bookings } = await imported(1);
    const undone = await ended((await undo(jobId)).body.jobId);
    const dry = await importRows(api, 'bookings/import?dryRun=true', { bookings });
    for (const id of [undone.jobId, dry.jobId]) {
      for (const { status, body } of [await preview(id), await undo(id)])
        expect([status, body.message]).toEqual([400, expect.stringContaining('can be undone')]);
    }
    const open = newId();
    await api.dataSource.query(
      `INSERT INTO import_jobs (organization_id, id, surface, mode, total_rows, status, started_at)
       VALUES ($1, $2, 'bookingsImport', 'CREATE', 0, 'FAILED', now())`,
      [api.organizationId, open],
    );
    expect((await preview(open)).body.canBeUndone.records).toBe(0);
  });

  it('does not reach another organization, and is for owners and managers', async () => {
    const { jobId } = await imported(1);
    const other = await organization(api.dataSource);
    const { browser: stranger } = await signedIn(api, 'OWNER', undefined, other.id);
    for (const { status } of [await preview(jobId, stranger), await undo(jobId, {}, stranger)])
      expect(status).toBe(404);
    for (const role of ['VIEWER', 'RACE_DAY'] as const) {
      const { browser } = await signedIn(api, role);
      for (const { status } of [await preview(jobId, browser), await undo(jobId, {}, browser)])
        expect(status).toBe(403);
    }
    const crossSite = await manager.ask(
      'POST',
      `/v0/import-jobs/${jobId}/undo`,
      {},
      {
        'sec-fetch-site': 'cross-site',
      },
    );
    expect(crossSite.status).toBe(403);
    expect((await undo(jobId, { includeChanged: 'yes' })).status).toBe(400);
    expect((await preview(jobId)).body.canBeUndone.records).toBe(1);
  });
});

describe('startline import undo', () => {
  it('previews, then cancels', async () => {
    const { jobId, results } = await imported(2);
    await CHANGES.RACE_DAY?.(results[0] as never, '');
    const { answer } = await cli.run('import', 'undo', jobId, '--preview');
    expect(answer).toEqual((await preview(jobId)).body);
    const { stdout } = await cli.say('import', 'undo', jobId, '--preview');
    expect(stdout).toMatch(/1 +changed since the import +RACE_DAY 1/);
    const { code, answer: job } = await cli.run('import', 'undo', jobId, '--include-changed', '--follow');
    expect([code, job]).toMatchObject([0, { undoes: jobId, status: 'COMPLETED', succeededRows: 2 }]);
    const refused = await cli.run('import', 'undo', jobId);
    expect([refused.code, refused.answer.error]).toEqual([1, 'REFUSED']);
    expect((await cli.run('import', 'undo', newId())).answer.error).toBe('NOT_FOUND');
  });
});
