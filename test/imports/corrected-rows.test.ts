import type { INestApplicationContext } from '@nestjs/common';
import { key, organization } from '#libs/testing';
import { newId } from '#platform/database';
import { type Browser, signedIn } from '../console/console';
import { startApi, startWorker, type TestApi } from '../harness';
import { finished, importRows, sale } from './import';

const PATH = 'bookings/import';

let api: TestApi;
let worker: INestApplicationContext;
let manager: Browser;
beforeAll(async () => {
  api = await startApi({ RATE_IMPORT: '1000', RATE_SIGN_IN: '1000' });
  worker = await startWorker(api);
  manager = (await signedIn(api, 'MANAGER', 'grace@example.com')).browser;
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

/** An import of which the given rows fail, because their tickets do not exist, with the rows as they should have been. */
async function failedImport(count: number, wrong: number[], query = '') {
  const { row, participant } = await sale(api);
  const right = Array.from({ length: count }, () => row());
  const ticketId = newId();
  const bookings = right.map((each, i) =>
    wrong.includes(i) ? { ...each, participants: [participant({ ticketId })] } : each,
  );
  const job = await importRows(api, PATH + query, { bookings });
  expect([job.succeededRows, job.failedRows]).toEqual([count - wrong.length, wrong.length]);
  return { jobId: job.jobId, right, bookings, of: (...rows: number[]) => rows.map((i) => right[i]) };
}
const body = (jobId: string, rows: number[], bookings: unknown[]) => ({
  bookings,
  corrects: { jobId, rows },
});
const correct = (jobId: string, rows: number[], bookings: unknown[], query = '') =>
  importRows(api, PATH + query, body(jobId, rows, bookings));
const refused = async (jobId: string, rows: number[], bookings: unknown[], query = '') => {
  const answer = await api.send('POST', `/v0/${PATH}${query}`, body(jobId, rows, bookings));
  expect(answer.status).toBe(400);
  return (answer.body as any).problems.map(({ path, code }: any) => [path, code]);
};
const jobOf = async (jobId: string) => (await api.get(`/v0/bookings/import/${jobId}`)).body;
const consoleJob = async (jobId: string) =>
  (await manager.ask('GET', `/console/v1/import-jobs/${jobId}`)).body as any;
const rowsOf = async (jobId: string, query = '') =>
  (await manager.ask('GET', `/console/v1/import-jobs/${jobId}/rows${query}`)).body.data as any[];
const bookingsOf = async (rows: any[]) => {
  const [{ count }] = await api.dataSource.query(
    'SELECT count(*)::int AS count FROM bookings WHERE organization_id = $1 AND external_booking_id = ANY ($2)',
    [api.organizationId, rows.map(({ externalBookingId }) => externalBookingId)],
  );
  return count as number;
};

describe('a correction of failed rows', () => {
  it('is a job of its own, and the first job shows the sum', async () => {
    const { jobId, right, of } = await failedImport(6, [1, 3, 5]);
    const before = await jobOf(jobId);
    const correction = await correct(jobId, [3, 1], of(3, 1), '?name=fixed.csv');
    expect(correction).toMatchObject({ corrects: jobId, name: 'fixed.csv', totalRows: 2, succeededRows: 2 });
    const after = await jobOf(jobId);
    expect(after).toEqual({
      ...before,
      corrections: 1,
      correctedBy: [correction.jobId],
      correctedRows: 2,
      openRows: 1,
    });
    const { body: list } = await api.get(`/v0/import-jobs?corrects=${jobId}`);
    expect(list.data).toMatchObject([{ jobId: correction.jobId, openRows: 0, correctedRows: 0 }]);
    expect(await bookingsOf(right)).toBe(5);
  });

  it('counts a chain of corrections by several people in the first job', async () => {
    const { jobId, right, bookings, of } = await failedImport(5, [0, 2, 4]);
    const second = await correct(jobId, [0, 2, 4], [right[0], bookings[2], bookings[4]]);
    expect([second.succeededRows, second.failedRows]).toEqual([1, 2]);
    // The third names the second job and its rows, in the console.
    const { body: accepted } = await manager.ask(
      'POST',
      `/v0/${PATH}`,
      body(second.jobId, [2, 1], [right[4], bookings[2]]),
    );
    await finished(api, PATH, accepted.jobId);
    expect(accepted).toMatchObject({ corrects: jobId });
    expect(await jobOf(jobId)).toMatchObject({
      failedRows: 3,
      corrections: 2,
      correctedRows: 2,
      openRows: 1,
    });
    expect(await consoleJob(jobId)).toMatchObject({
      failures: [{ code: 'TICKET_NOT_FOUND', rows: 3 }],
      openFailures: [{ code: 'TICKET_NOT_FOUND', rows: 1 }],
    });
    expect(await consoleJob(accepted.jobId)).toMatchObject({ sentBy: 'grace@example.com', openFailures: [] });
    await correct(jobId, [2], of(2));
    expect(await jobOf(jobId)).toMatchObject({ correctedRows: 3, openRows: 0 });
    expect(await bookingsOf(right)).toBe(5);
  });

  it('refuses rows that have not failed, or have a correction, and names them', async () => {
    const { jobId, right, of } = await failedImport(4, [1, 2]);
    await correct(jobId, [1], of(1));
    expect(await refused(jobId, [2, 1, 0, 9], [right[2], right[1], right[0], right[3]])).toEqual([
      ['corrects.rows[1]', 'ALREADY_CORRECTED'],
      ['corrects.rows[2]', 'NOT_FAILED'],
      ['corrects.rows[3]', 'NOT_FAILED'],
    ]);
    expect(await refused(jobId, [2, 2], of(2, 3))).toEqual([['corrects.rows[1]', 'DUPLICATE']]);
    expect(await refused(jobId, [2], of(2, 3))).toEqual([['corrects.rows', 'INVALID_COMBINATION']]);
    expect(await refused(newId(), [2], of(2))).toEqual([['corrects.jobId', 'INVALID_VALUE']]);
    expect(await jobOf(jobId)).toMatchObject({ corrections: 1, openRows: 1 });
  });

  it('of two people at the same time is made once, also if they write different rows', async () => {
    const { jobId, of } = await failedImport(3, [0, 1, 2]);
    const other = of(0, 1, 2).map((row, i) => ({ ...(row as object), externalBookingId: `${jobId}/${i}` }));
    const answers = await Promise.all(
      [of(0, 1, 2), other, of(0, 1, 2)].map((rows) =>
        api.send('POST', `/v0/${PATH}`, body(jobId, [0, 1, 2], rows)),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const [{ body: accepted }] = answers.filter(({ status }) => status === 200) as any[];
    await finished(api, PATH, accepted.jobId);
    expect(await jobOf(jobId)).toMatchObject({ corrections: 1, correctedRows: 3, openRows: 0 });
    expect((await bookingsOf(of(0, 1, 2))) + (await bookingsOf(other))).toBe(3);
  });

  it('that is sent twice with the same Idempotency-Key is the same job', async () => {
    const { jobId, of } = await failedImport(2, [1]);
    const send = () =>
      api.send('POST', `/v0/${PATH}`, body(jobId, [1], of(1)), undefined, { 'idempotency-key': jobId });
    const [first, second] = [await send(), await send()];
    expect((second.body as any).jobId).toBe((first.body as any).jobId);
    await finished(api, PATH, (first.body as any).jobId);
    expect(await jobOf(jobId)).toMatchObject({ corrections: 1, correctedRows: 1 });
  });

  it('is not repeated by a retry of the first job, nor by one of an earlier correction', async () => {
    const { jobId, right, bookings, of } = await failedImport(3, [0, 1, 2]);
    const second = await correct(jobId, [0, 1], [bookings[0], bookings[1]]);
    const changed = { ...(right[0] as object), externalBookingId: `${jobId}/changed` };
    await correct(jobId, [0], [changed]);
    // Now the ticket exists, so that a retry of all rows would import the first one again.
    await api.dataSource.query(
      `UPDATE import_rows SET payload = jsonb_set(payload, '{participants,0,ticketId}', $2)
       WHERE job_id = ANY ($1)`,
      [[jobId, second.jobId], JSON.stringify((right[0] as any).participants[0].ticketId)],
    );
    await api.send('POST', `/v0/import-jobs/${second.jobId}/retry`, undefined);
    await finished(api, PATH, second.jobId);
    expect(await jobOf(second.jobId)).toMatchObject({ succeededRows: 1, failedRows: 1 });
    await api.send('POST', `/v0/import-jobs/${jobId}/retry`, undefined);
    await finished(api, PATH, jobId);
    expect(await jobOf(jobId)).toMatchObject({
      succeededRows: 1,
      failedRows: 2,
      correctedRows: 2,
      openRows: 0,
    });
    expect([await bookingsOf(of(0)), await bookingsOf([changed]), await bookingsOf(of(1, 2))]).toEqual([
      0, 1, 2,
    ]);
  });

  it('that ended before some rows leaves them to another correction', async () => {
    const { jobId, of } = await failedImport(2, [0, 1]);
    await worker.close();
    const { body: stopped } = await api.send('POST', `/v0/${PATH}`, body(jobId, [0, 1], of(0, 1)));
    await api.send('POST', `/v0/import-jobs/${stopped.jobId}/cancel`, undefined);
    worker = await startWorker(api);
    await correct(jobId, [0], of(0));
    await api.send('POST', `/v0/import-jobs/${stopped.jobId}/retry`, undefined);
    await finished(api, PATH, stopped.jobId);
    expect(await jobOf(stopped.jobId)).toMatchObject({
      succeededRows: 1,
      errors: [{ row: 0, code: 'NOT_REACHED' }],
    });
    expect(await jobOf(jobId)).toMatchObject({ correctedRows: 2, openRows: 0 });
    expect(await bookingsOf(of(0, 1))).toBe(2);
  });

  it('can be tried first, which counts nowhere', async () => {
    const { jobId, of } = await failedImport(2, [0]);
    const dryRun = await correct(jobId, [0], of(0), '?dryRun=true');
    expect(dryRun).toMatchObject({ dryRun: true, corrects: jobId, succeededRows: 1 });
    expect(await jobOf(jobId)).toMatchObject({ corrections: 0, openRows: 1 });
    await correct(jobId, [0], of(0));
    expect(await jobOf(jobId)).toMatchObject({ corrections: 1, openRows: 0 });
  });

  it('of a dry run is a dry run', async () => {
    const { jobId, of } = await failedImport(3, [2], '?dryRun=true');
    expect(await refused(jobId, [2], of(2))).toEqual([['corrects.jobId', 'INVALID_VALUE']]);
    await correct(jobId, [2], of(2), '?dryRun=true');
    expect(await jobOf(jobId)).toMatchObject({ dryRun: true, correctedRows: 1, openRows: 0 });
    const { body: dryRuns } = await manager.ask('GET', '/console/v1/import-jobs?dryRun=true&page[size]=500');
    expect(dryRuns.data.every(({ dryRun }: any) => dryRun)).toBe(true);
    const { body: imports } = await manager.ask('GET', '/console/v1/import-jobs?dryRun=false&page[size]=500');
    expect(imports.data.some(({ dryRun }: any) => dryRun)).toBe(false);
  });

  it('is possible after the content of the rows was removed, which the job says', async () => {
    const { jobId, of } = await failedImport(2, [1]);
    await api.dataSource.query('UPDATE import_jobs SET emptied_rows = total_rows WHERE id = $1', [jobId]);
    await api.dataSource.query(`UPDATE import_rows SET payload = '{}' WHERE job_id = $1`, [jobId]);
    expect(await consoleJob(jobId)).toMatchObject({ payloadsRemoved: true, openRows: 1 });
    expect(await rowsOf(jobId, '?open=true')).toMatchObject([{ row: 1, sent: null }]);
    await correct(jobId, [1], of(1));
    expect(await jobOf(jobId)).toMatchObject({ payloadsRemoved: true, openRows: 0 });
  });

  it('names a job of the same import', async () => {
    const { jobId } = await failedImport(1, [0]);
    const amount = { value: 1, currencyCode: 'GBP' };
    const { status, body: refusal } = await api.send('POST', '/v0/credits/import', {
      credits: [{ externalCreditId: jobId, email: 'ada@example.com', amount }],
      corrects: { jobId, rows: [0] },
    });
    expect([status, (refusal as any).problems[0].path]).toEqual([400, 'corrects.jobId']);
  });
});

describe('a dry run', () => {
  const apply = (jobId: string, token?: string) =>
    api.send('POST', `/v0/import-jobs/${jobId}/apply`, undefined, token) as Promise<any>;

  it('is imported with its corrections, without being sent again', async () => {
    const { jobId, right, bookings } = await failedImport(6, [1, 3, 5], '?dryRun=true&name=list.csv');
    await correct(jobId, [1, 3], [right[1], bookings[3]], '?dryRun=true');
    const second = await correct(jobId, [3], [right[3]], '?dryRun=true');
    expect(await bookingsOf(right)).toBe(0);
    const { body: accepted } = await apply(jobId);
    expect(accepted).toMatchObject({ dryRun: false, name: 'list.csv', importsDryRun: jobId, corrects: null });
    const job = await finished(api, PATH, accepted.jobId);
    // What nobody corrected fails again, and can be corrected in the import.
    expect(job).toMatchObject({ totalRows: 6, succeededRows: 5, errors: [{ row: 5 }] });
    expect(await jobOf(jobId)).toMatchObject({ dryRun: true, importedBy: accepted.jobId, openRows: 1 });
    expect(await refused(jobId, [5], [right[5]], '?dryRun=true')).toEqual([
      ['corrects.jobId', 'INVALID_VALUE'],
    ]);
    await correct(accepted.jobId, [5], [right[5]]);
    expect(await jobOf(accepted.jobId)).toMatchObject({ correctedRows: 1, openRows: 0 });
    expect(await bookingsOf(right)).toBe(6);
    expect((await apply(second.jobId)).status).toBe(400);
  });

  it('is imported once, by several people at the same time and again', async () => {
    const { jobId, right } = await failedImport(3, [0], '?dryRun=true');
    await correct(jobId, [0], [right[0]], '?dryRun=true');
    const answers = await Promise.all([
      apply(jobId),
      manager.ask('POST', `/v0/import-jobs/${jobId}/apply`),
      apply(jobId),
    ]);
    const again = await apply(jobId);
    const ids = new Set([...answers, again].map(({ body: { jobId: id } }) => id));
    expect([answers.map(({ status }) => status), ids.size]).toEqual([[200, 200, 200], 1]);
    await finished(api, PATH, again.body.jobId);
    expect(await jobOf(again.body.jobId)).toMatchObject({ totalRows: 3, succeededRows: 3 });
    expect(await bookingsOf(right)).toBe(3);
  });

  it('is not imported if corrections made two of its rows the same, and names them', async () => {
    const { jobId, right } = await failedImport(3, [2], '?dryRun=true');
    await correct(jobId, [2], [right[0]], '?dryRun=true');
    const { status, body: refusal } = await apply(jobId);
    expect([status, refusal.problems]).toEqual([
      400,
      [expect.objectContaining({ path: 'bookings[2].externalBookingId', code: 'DUPLICATE' })],
    ]);
    expect(await bookingsOf(right)).toBe(0);
  });

  it('whose rows lost their content is not imported, and people who were erased are left out', async () => {
    const { jobId, right } = await failedImport(3, [], '?dryRun=true');
    await api.dataSource.query(
      `UPDATE import_rows SET payload = '{}' WHERE organization_id = $1 AND job_id = $2 AND row_number = 1`,
      [api.organizationId, jobId],
    );
    const { body: accepted } = await apply(jobId);
    expect(accepted.totalRows).toBe(2);
    await finished(api, PATH, accepted.jobId);
    expect(await bookingsOf(right)).toBe(2);
    const { jobId: emptied } = await failedImport(1, [], '?dryRun=true');
    await api.dataSource.query('UPDATE import_jobs SET emptied_rows = 1 WHERE id = $1', [emptied]);
    expect((await apply(emptied)).body.message).toContain('The content of the rows was removed');
    const { jobId: erased } = await failedImport(2, [], '?dryRun=true');
    await api.dataSource.query(`UPDATE import_rows SET payload = '{}' WHERE job_id = $1`, [erased]);
    expect((await apply(erased)).body.message).toContain('The content of the rows was removed');
  });

  it('is no import, and not of another organization', async () => {
    const { jobId } = await failedImport(1, []);
    expect((await apply(jobId)).body.message).toBe('Only dry runs can be imported.');
    const { jobId: dryRun } = await failedImport(1, [], '?dryRun=true');
    const { id: organizationId } = await organization(api.dataSource, { surfaces: ['bookingsImport'] });
    const { token } = await key(api.dataSource, { organizationId });
    expect((await apply(dryRun, token)).status).toBe(404);
  });
});

describe('the rows of a job in the console', () => {
  it('are open until a correction imports them, and have the content and the error of their latest attempt', async () => {
    const { jobId, bookings, right } = await failedImport(4, [1, 3]);
    const again = { ...(bookings[1] as object), sourcePlatform: 'Corrected' };
    const wave = {
      ...(right[3] as any),
      participants: [{ ...(right[3] as any).participants[0], waveId: newId() }],
    };
    const { jobId: correction } = await correct(jobId, [1, 3], [again, wave]);
    const open = await rowsOf(jobId, '?open=true');
    expect(open).toMatchObject([
      {
        row: 1,
        outcome: 'FAILED',
        sent: { sourcePlatform: 'Corrected' },
        error: { path: 'participants[0].ticketId', code: 'TICKET_NOT_FOUND' },
        correction: { jobId: correction, row: 0, outcome: 'FAILED', error: { code: 'TICKET_NOT_FOUND' } },
      },
      { row: 3, error: { code: 'TICKET_NOT_FOUND' }, correction: { error: { code: 'WAVE_NOT_FOUND' } } },
    ]);
    expect((await rowsOf(jobId, '?open=true&code=WAVE_NOT_FOUND')).map(({ row }) => row)).toEqual([3]);
    expect((await consoleJob(jobId)).openFailures).toEqual([
      { code: 'TICKET_NOT_FOUND', rows: 1 },
      { code: 'WAVE_NOT_FOUND', rows: 1 },
    ]);
    await correct(jobId, [3], [right[3]]);
    expect((await rowsOf(jobId, '?open=true')).map(({ row }) => row)).toEqual([1]);
    expect((await rowsOf(jobId, '?open=false')).map(({ row }) => row)).toEqual([0, 2, 3]);
  });
});

describe('a correction by another key', () => {
  it('is refused like one of a job that does not exist, for jobs of other organizations', async () => {
    const { jobId, of } = await failedImport(1, [0]);
    const { id: organizationId } = await organization(api.dataSource, { surfaces: ['bookingsImport'] });
    const { token } = await key(api.dataSource, { organizationId });
    const { status, body: refusal } = await api.send('POST', `/v0/${PATH}`, body(jobId, [0], of(0)), token);
    expect([status, (refusal as any).problems[0].path]).toEqual([400, 'corrects.jobId']);
  });
});
