import type { INestApplicationContext } from '@nestjs/common';
import { FORGET_IMPORT_PAYLOADS } from '#domain/imports';
import { ERASURE_SECRET } from '#libs/testing';
import { newId } from '#platform/database';
import { type Browser, signedIn, workDone } from '../console/console';
import { startApi, startWorker, type TestApi } from '../harness';
import { errorsOf, finished, importRows, sale } from './import';

const PATH = 'bookings/import';
const KEEP = '?keepInvalid=true';

let api: TestApi;
let worker: INestApplicationContext;
let owner: Browser;
beforeAll(async () => {
  const settings = { ERASURE_SECRET, RATE_SIGN_IN: '1000' };
  api = await startApi(settings);
  worker = await startWorker(api, settings);
  owner = (await signedIn(api, 'OWNER')).browser;
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

type Json = Record<string, any>;
const post = (bookings: unknown[], query = KEEP, more: object = {}) =>
  importRows(api, PATH + query, { bookings, ...more }) as Promise<Json>;
const jobOf = async (jobId: string): Promise<Json> => (await api.get(`/v0/${PATH}/${jobId}`)).body;
const sentOf = async (jobId: string): Promise<unknown[]> =>
  (await owner.ask('GET', `/console/v1/import-jobs/${jobId}/rows`)).body.data.map(({ sent }: Json) => sent);
const refused = async (bookings: unknown, query = KEEP): Promise<unknown[]> => {
  const { status, body } = await api.send('POST', `/v0/${PATH}${query}`, { bookings });
  expect(status).toBe(400);
  return (body as Json).problems.map(({ path, code }: Json) => [path, code]);
};
const bookingsOf = async (rows: Json[]): Promise<number> => {
  const [{ count }] = await api.dataSource.query(
    'SELECT count(*)::int AS count FROM bookings WHERE organization_id = $1 AND external_booking_id = ANY ($2)',
    [api.organizationId, rows.map(({ externalBookingId }) => externalBookingId)],
  );
  return count;
};
const nobody = { email: 'nobody', firstName: 'Ada', lastName: 'Lovelace' };

/** Valid rows, and the same with those that are invalid, each in its way. */
async function mixed() {
  const { row } = await sale(api);
  const right: Json[] = Array.from({ length: 6 }, () => row());
  const rows: Json[] = [...right];
  rows[1] = { ...right[1], booker: nobody, participants: [{ firstName: 7 }] };
  rows[3] = { ...right[3], participants: 'nobody', booker: [null], bogus: { of: 'ada@example.com' } };
  rows[4] = { ...right[4], participants: [{}, null] };
  return { right, rows };
}

describe('invalid rows that are kept', () => {
  it('fail with what was sent and why, and all others are imported', async () => {
    const { rows, right } = await mixed();
    const job = await post(rows);
    expect(job).toMatchObject({ status: 'COMPLETED', totalRows: 6, processedRows: 6, succeededRows: 3 });
    expect(job).toMatchObject({ failedRows: 3, openRows: 3 });
    expect(job.errors).toEqual([
      {
        ...{ row: 1, code: 'INVALID_ROW', externalId: rows[1]?.externalBookingId },
        path: expect.stringMatching(/^booker\.email$|^participants\[0\]/),
        message: expect.stringContaining('booker.email must be an email address'),
      },
      {
        ...{ row: 3, code: 'INVALID_ROW', externalId: rows[3]?.externalBookingId, path: 'bogus' },
        message: expect.stringMatching(/^bogus is not a known property.*participants must be an array/),
      },
      {
        ...{
          row: 4,
          code: 'INVALID_ROW',
          externalId: rows[4]?.externalBookingId,
          path: expect.stringMatching(/^participants/),
        },
        message: expect.stringContaining('participants[1] must be an object'),
      },
    ]);
    expect(
      job.results.map(({ outcome }: Json) => outcome).filter((each: string) => each !== 'FAILED'),
    ).toEqual(['IMPORTED', 'IMPORTED', 'IMPORTED']);
    expect(await sentOf(job.jobId)).toEqual(rows);
    expect(await bookingsOf(right)).toBe(3);
    const { body } = await api.get(`/v0/import-jobs/${job.jobId}/rows?open=true`);
    expect(body.data.map(({ row }: Json) => row)).toEqual([1, 3, 4]);
  });

  it('are found in a large body too, which the checking thread reads', async () => {
    const { row } = await sale(api);
    const rows = Array.from({ length: 300 }, (_, i) => row(i % 100 === 7 ? { booker: nobody } : {}));
    expect(JSON.stringify(rows).length).toBeGreaterThan(65_536);
    const job = await post(rows);
    expect([job.succeededRows, ...errorsOf(job as never)]).toEqual([
      297,
      ...[7, 107, 207].map((each) => [each, 'INVALID_ROW']),
    ]);
  });

  it('are refused without the parameter, and if no row is valid or the body is not', async () => {
    const { row } = await sale(api);
    const wrong = row({ booker: nobody });
    const email = ['bookings[0].booker.email', 'INVALID_FORMAT'];
    expect(await refused([wrong, row()], '')).toEqual([email]);
    expect(await refused([wrong])).toEqual([email]);
    expect(await refused('all')).toEqual([['bookings', 'INVALID_TYPE']]);
    expect(await refused([])).toEqual([['bookings', 'TOO_SHORT']]);
  });

  it('are refused if they can not be stored as they are', async () => {
    const { row } = await sale(api);
    expect(await refused([row(), row({ metadata: { note: '\0' } })])).toEqual([
      ['bookings[1].metadata.note', 'UNUSABLE_TEXT'],
    ]);
    expect(await refused([row(), row({ booker: nobody }), 7])).toEqual([['bookings[2]', 'INVALID_TYPE']]);
    expect(await refused([row(), row({ bogus: 'x'.repeat(200_001) })])).toContainEqual([
      ...['bookings[1].bogus', 'TOO_LONG'],
    ]);
    const items = Array.from({ length: 30_000 }, () => 'abcdefg');
    expect(await refused([row(), row({ bogus: items })])).toEqual([['bookings[1]', 'TOO_COMPLEX']]);
    const texts = Array.from({ length: 20 }, () => 'x'.repeat(20_000));
    expect(await refused([row(), row({ bogus: texts })])).toEqual([['bookings[1]', 'TOO_LONG']]);
  });

  it('are also later ones of two with the same id', async () => {
    const { row } = await sale(api);
    const one = row();
    const job = await post([one, { ...row(), externalBookingId: one.externalBookingId }]);
    expect(job).toMatchObject({ succeededRows: 1, errors: [{ row: 1, path: 'externalBookingId' }] });
    expect(job.errors[0].message).toMatch(/^externalBookingId is the same as in bookings\[0\]/);
  });

  it('are the same for a repeated request, and another request without the parameter', async () => {
    const { rows } = await mixed();
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const send = (query: string) =>
      api.send('POST', `/v0/${PATH}${query}`, { bookings: rows }, undefined, headers);
    const first = await send(KEEP);
    expect(await send(KEEP)).toMatchObject({ status: 200, body: { jobId: first.body.jobId } });
    expect((await send('')).status).toBe(400);
    await finished(api, PATH, first.body.jobId);
  });

  it('are left out by a retry', async () => {
    const { rows } = await mixed();
    const { jobId, ...before } = await post(rows);
    const { body } = await api.send('POST', `/v0/import-jobs/${jobId}/retry`, undefined);
    expect(body).toMatchObject({ status: 'COMPLETED', failedRows: 3, errors: before.errors });
    const { row, participant } = await sale(api);
    const missing = row({ participants: [participant({ ticketId: newId() })] });
    const both = await post([row({ booker: nobody }), missing, row()]);
    await api.send('POST', `/v0/import-jobs/${both.jobId}/retry`, undefined);
    expect(errorsOf((await finished(api, PATH, both.jobId)) as never)).toEqual([
      [0, 'INVALID_ROW'],
      [1, 'TICKET_NOT_FOUND'],
    ]);
  });

  it('are replaced by corrections, of which invalid rows fail in turn', async () => {
    const { rows, right } = await mixed();
    const { jobId } = await post(rows);
    const corrects = { jobId, rows: [1, 3] };
    const half = await post([right[1], { ...right[3], booker: nobody }], KEEP, { corrects });
    expect(half).toMatchObject({ succeededRows: 1, errors: [{ row: 1, code: 'INVALID_ROW' }] });
    expect(await jobOf(jobId)).toMatchObject({ correctedRows: 1, openRows: 2 });
    // Of a correction, too, a retry leaves them out.
    const { body } = await api.send('POST', `/v0/import-jobs/${half.jobId}/retry`, undefined);
    expect(body).toMatchObject({ status: 'COMPLETED', failedRows: 1 });
    await post([right[3]], '', { corrects: { jobId: half.jobId, rows: [1] } });
    await post([right[4]], '', { corrects: { jobId, rows: [4] } });
    expect(await jobOf(jobId)).toMatchObject({ failedRows: 3, correctedRows: 3, openRows: 0 });
    expect(await bookingsOf(right)).toBe(6);
  });

  it('of a dry run are imported as they were corrected, and fail otherwise', async () => {
    const { rows, right } = await mixed();
    const dryRun = `${KEEP}&dryRun=true`;
    const { jobId, failedRows } = await post(rows, dryRun);
    expect([failedRows, await bookingsOf(right)]).toEqual([3, 0]);
    await post([right[3], { ...right[4], booker: nobody }], dryRun, {
      corrects: { jobId, rows: [3, 4] },
    });
    const { body } = await api.send('POST', `/v0/import-jobs/${jobId}/apply`, undefined);
    const job: Json = await finished(api, PATH, body.jobId);
    expect(job).toMatchObject({ totalRows: 6, processedRows: 6, succeededRows: 4, failedRows: 2 });
    expect(job.errors).toMatchObject([
      { row: 1, code: 'INVALID_ROW' },
      { row: 4, code: 'INVALID_ROW', path: 'booker.email' },
    ]);
    expect((await sentOf(job.jobId))[4]).toEqual({ ...right[4], booker: nobody });
    expect(await bookingsOf(right)).toBe(4);
  });

  it('with the same id as another row do not prevent the import of a dry run', async () => {
    const { row } = await sale(api);
    const one = row();
    const { jobId } = await post(
      [one, { ...row(), externalBookingId: one.externalBookingId }],
      `${KEEP}&dryRun=true`,
    );
    const { body } = await api.send('POST', `/v0/import-jobs/${jobId}/apply`, undefined);
    expect(await finished(api, PATH, body.jobId)).toMatchObject({ succeededRows: 1, failedRows: 1 });
  });

  it('are also those of which the sender says what it could not read, even if they match the schema', async () => {
    const { row, participant } = await sale(api);
    const text = 'Ada or Grace';
    const unread = [
      { path: 'participants[0].lastName', message: `"${text}" can be read in two ways` },
      { message: 'the row is broken' },
    ];
    const right = [row(), row(), row()];
    const rows = [
      right[0],
      { ...right[1], participants: [participant({ lastName: text })], unread },
      { ...right[2], participants: [participant({ dateOfBirth: '31.02.1990' })], unread: unread.slice(0, 1) },
    ];
    expect(await refused(rows, '')).toEqual([
      ['bookings[1].unread', 'UNKNOWN_PROPERTY'],
      ['bookings[2].unread', 'UNKNOWN_PROPERTY'],
      ['bookings[2].participants[0].dateOfBirth', 'INVALID_FORMAT'],
    ]);
    const dryRun = await post(rows, `${KEEP}&dryRun=true`);
    const { body: applied } = await api.send('POST', `/v0/import-jobs/${dryRun.jobId}/apply`, undefined);
    const job: Json = await finished(api, PATH, applied.jobId);
    // Without the texts: an error stays when the content of the row is removed.
    const message = 'participants[0].lastName could not be read by its sender';
    for (const { errors } of [dryRun, job])
      expect(errors).toMatchObject([
        {
          row: 1,
          code: 'INVALID_ROW',
          path: 'participants[0].lastName',
          message: `${message}. The row could not be read by its sender`,
        },
        { row: 2, code: 'INVALID_ROW', path: 'participants[0].lastName', message },
      ]);
    expect(await sentOf(job.jobId)).toEqual(rows);
    // The same row again fails again, also alone; without the property it is what its sender can read.
    const corrects = (jobId: string, of: number) => ({ corrects: { jobId, rows: [of] } });
    const again = await post([rows[1]], KEEP, corrects(job.jobId, 1));
    expect(again).toMatchObject({
      status: 'COMPLETED',
      failedRows: 1,
      errors: [{ message: job.errors[0].message }],
    });
    await api.send('POST', `/v0/import-jobs/${job.jobId}/retry`, undefined);
    expect(await jobOf(job.jobId)).toMatchObject({ failedRows: 2, openRows: 2, errors: job.errors });
    await post([right[1]], '', corrects(again.jobId, 0));
    await post([right[2]], '', corrects(job.jobId, 2));
    expect(await jobOf(job.jobId)).toMatchObject({ openRows: 0, correctedRows: 2 });
    expect(await bookingsOf(right)).toBe(3);
  });

  it('say of themselves in any shape that they could not be read', async () => {
    const { row } = await sale(api);
    const shapes = [
      [{ path: { toString: 1 } }],
      [null, 7, 'x'],
      [[{ path: [] }]],
      { path: 'x' },
      'x',
      null,
      [],
    ];
    const job = await post([row(), ...shapes.map((unread) => row({ unread }))]);
    expect([job.succeededRows, ...errorsOf(job as never)]).toEqual([
      1,
      ...shapes.map((_, at) => [at + 1, 'INVALID_ROW']),
    ]);
  });

  it('do not prevent an undo, and stay failed after a cancellation', async () => {
    const { rows, right } = await mixed();
    const { jobId } = await post(rows);
    const { body } = await api.send('POST', `/v0/import-jobs/${jobId}/undo`, {});
    await finished(api, PATH, body.jobId);
    expect(await jobOf(jobId)).toMatchObject({ undoneRows: 3, failedRows: 3 });
    expect(right.length).toBe(6);
    const cancelled = await post(rows.map((each) => ({ ...each, externalBookingId: crypto.randomUUID() })));
    await api.send('POST', `/v0/import-jobs/${cancelled.jobId}/cancel`, undefined);
    expect(await jobOf(cancelled.jobId)).toMatchObject({ status: 'COMPLETED', failedRows: 3 });
  });

  it('lose their content with that of the job', async () => {
    const { rows } = await mixed();
    const { jobId } = await post(rows);
    await api.dataSource.query(`UPDATE import_jobs SET finished_at = '2020-01-01' WHERE id = $1`, [jobId]);
    const manager = api.dataSource.manager;
    await FORGET_IMPORT_PAYLOADS.run(manager, [api.organizationId, 1e6, 100]);
    expect(await sentOf(jobId)).toEqual([null, null, null, null, null, null]);
  });
});

describe('a person who is erased', () => {
  const contentOf = async (jobId: string): Promise<string> =>
    JSON.stringify(
      await api.dataSource.query('SELECT * FROM import_rows WHERE job_id = $1 ORDER BY row_number', [jobId]),
    );

  it('is found in invalid rows of any shape', async () => {
    const { row } = await sale(api);
    const email = 'Mary.Somerville@example.com';
    const job = await post([
      row(),
      row({ participants: { 0: [[email]] } }),
      row({ externalBookingId: { of: email }, participants: null }),
      row({ participants: `nobody <${email}>` }),
      row({ [email]: 1 }),
      row({ unread: [{ path: 'participants[0].lastName', message: `"Mary <${email}>" is no name` }] }),
    ]);
    expect(job).toMatchObject({ succeededRows: 1, failedRows: 5 });
    expect(await contentOf(job.jobId)).toMatch(/mary\.somerville/i);
    const asked = await owner.ask('POST', '/console/v1/persons/erase', { email });
    expect(asked.status).toBe(200);
    await workDone(owner, asked.body as never);
    expect(await contentOf(job.jobId)).not.toMatch(/mary\.somerville/i);
    expect(await jobOf(job.jobId)).toMatchObject({ failedRows: 5 });
  });

  it('is not stored again by an invalid row with an id that was erased', async () => {
    const { row } = await sale(api);
    const email = 'caroline@example.com';
    const own = row({ externalBookingId: ` order-${email}`, booker: { ...nobody, email } });
    await post([own]);
    const asked = await owner.ask('POST', '/console/v1/persons/erase', { email });
    await workDone(owner, asked.body as never);
    const job = await post([row(), { ...own, participants: [{ lastName: 'Herschel' }] }]);
    expect(errorsOf(job as never)).toEqual([[1, 'INVALID_ROW']]);
    expect(await contentOf(job.jobId)).not.toMatch(/caroline|Herschel/);
  });
});
