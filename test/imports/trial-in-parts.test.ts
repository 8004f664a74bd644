import { discountCode, key, organization, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { importRows } from './import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(async () => {
  await api?.close();
});

/** Bookings that together reach the limit of a code, and want the same bibs. */
async function sale() {
  const { organizationId } = api;
  const sold = await ticket(api.dataSource, { organizationId });
  const { code } = await discountCode(api.dataSource, { organizationId, limitUsage: 3 });
  const row = (n: number, bibNumber?: string) => ({
    ...{
      externalBookingId: `${sold.id}-${n}`,
      eventOccurrenceId: sold.eventOccurrenceId,
      discountCode: code,
    },
    booker: { email: `r${n}@example.com`, firstName: 'Ada', lastName: `${n}` },
    participants: [
      { ticketId: sold.id, firstName: 'Ada', lastName: `${n}`, ...(bibNumber && { bibNumber }) },
    ],
  });
  return { row };
}

const told = (job: any) => job.results.map(({ row, outcome, error }: any) => [row, outcome, error?.code]);

describe('the dry run of a file in several parts', () => {
  it('has the outcomes of the import, where rows of different parts reach a limit or want the same bib', async () => {
    const { row } = await sale();
    const parts = [
      [row(1, '7'), row(2)],
      [row(3, '8'), row(4, '7')],
      [row(5, '8'), row(6, '9')],
    ];
    const dry = [];
    for (const bookings of parts) {
      const continues: string = dry.length ? `&continues=${dry.at(-1)?.jobId}` : '';
      dry.push(await importRows(api, `bookings/import?dryRun=true${continues}`, { bookings }));
    }
    const real = [];
    for (const bookings of parts) real.push(await importRows(api, 'bookings/import', { bookings }));
    expect(dry.map(told)).toEqual(real.map(told));
    expect(real.flatMap(told).map(([, , code]) => code)).toEqual([
      ...[undefined, undefined, undefined, 'BIB_NUMBER_TAKEN'],
      ...['BIB_NUMBER_TAKEN', 'DISCOUNT_LIMIT_REACHED'],
    ]);
  });

  it('is sent so by the client', async () => {
    const { row } = await sale();
    const rows = Array.from({ length: 5 }, (_, i) => row(i));
    const report = await api
      .client()
      .import('/v0/bookings/import', rows as never[], { dryRun: true, batchRows: 2, everyMs: 10 });
    expect([report.succeededRows, report.failed.map(({ row: at, error }) => [at, error?.code])]).toEqual([
      3,
      [
        [3, 'DISCOUNT_LIMIT_REACHED'],
        [4, 'DISCOUNT_LIMIT_REACHED'],
      ],
    ]);
  });

  it('tries corrections beside the other rows of all parts', async () => {
    const { row } = await sale();
    const first = await importRows(api, 'bookings/import?dryRun=true', { bookings: [row(1, '7')] });
    const second = await importRows(api, `bookings/import?dryRun=true&continues=${first.jobId}`, {
      bookings: [row(2), { ...row(3), participants: [{ ...row(3).participants[0], ticketId: newId() }] }],
    });
    expect(second.openRows).toBe(1);
    const corrected = async (value: object) =>
      told(
        await importRows(api, 'bookings/import?dryRun=true', {
          ...{ bookings: [value], corrects: { jobId: second.jobId, rows: [1] } },
        }),
      );
    expect(await corrected(row(3, '7'))).toEqual([[0, 'FAILED', 'BIB_NUMBER_TAKEN']]);
    const open = async () => {
      const { body } = await api.get(`/v0/import-jobs/${second.jobId}/rows?open=true`);
      return body.data.map((each: any) => each.row);
    };
    expect(await open()).toEqual([1]);
    expect(await corrected(row(3))).toEqual([[0, 'IMPORTED', undefined]]);
    expect(await open()).toEqual([]);
    const next = await importRows(api, `bookings/import?dryRun=true&continues=${second.jobId}`, {
      bookings: [row(4)],
    });
    expect(told(next)).toEqual([[0, 'FAILED', 'DISCOUNT_LIMIT_REACHED']]);
  });

  it('refuses corrections and retries of a part whose first part was deleted', async () => {
    const { row } = await sale();
    const first = await importRows(api, 'bookings/import?dryRun=true', { bookings: [row(1)] });
    const wrong = { ...row(2), participants: [{ ...row(2).participants[0], ticketId: newId() }] };
    const second = await importRows(api, `bookings/import?dryRun=true&continues=${first.jobId}`, {
      bookings: [wrong],
    });
    for (const each of ['dry_run_takings WHERE job_id', 'import_rows WHERE job_id', 'import_jobs WHERE id'])
      await api.dataSource.query(`DELETE FROM ${each} = $1`, [first.jobId]);
    const correction = { bookings: [row(2)], corrects: { jobId: second.jobId, rows: [0] } };
    const { status, body } = await api.send('POST', '/v0/bookings/import?dryRun=true', correction);
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining('continues a dry run that has been deleted'),
    ]);
    const retried = await api.send('POST', `/v0/import-jobs/${second.jobId}/retry`, undefined);
    expect([retried.status, retried.body.message]).toEqual([
      400,
      'The dry run continues one that has been deleted. Send the whole file again.',
    ]);
  });

  it('continues nothing but a dry run of the same import and organization', async () => {
    const { row } = await sale();
    const body = { bookings: [row(1)] };
    const dry = await importRows(api, 'bookings/import?dryRun=true', body);
    const other = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId: other.id });
    const real = await importRows(api, 'bookings/import', { bookings: [row(2)] });
    const message = expect.stringMatching(/^continues must be the id of a dry run of this import/);
    const credits = {
      credits: [
        { externalCreditId: newId(), email: 'a@example.com', amount: { value: 1, currencyCode: 'GBP' } },
      ],
    };
    const refused = await Promise.all([
      api.send('POST', `/v0/bookings/import?dryRun=true&continues=${newId()}`, body),
      api.send('POST', `/v0/bookings/import?dryRun=true&continues=${real.jobId}`, body),
      api.send('POST', `/v0/credits/import?dryRun=true&continues=${dry.jobId}`, credits),
      api.send('POST', `/v0/bookings/import?dryRun=true&continues=${dry.jobId}`, body, token),
    ]);
    expect(refused.map((answer) => [answer.status, answer.body.message])).toEqual(
      Array(4).fill([400, message]),
    );
    const importing = await api.send('POST', `/v0/bookings/import?continues=${dry.jobId}`, body);
    expect([importing.status, importing.body.message]).toEqual([400, 'continues needs dryRun=true']);
  });
});
