import { sharedApi, type TestApi } from '../harness';
import { importRows, sale as saleOf } from './import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const sale = (given?: object) => saleOf(api, given);
const PATH = 'bookings/import';
const importBookings = (bookings: object[]) => importRows(api, PATH, { bookings });

describe('POST /v0/bookings/import?cancelled=skip', () => {
  it('returns the latest cancelled booking of an id, and writes nothing', async () => {
    const { row, participant } = await sale();
    const again = row({ participants: [participant(), participant()] });
    for (let i = 0; i < 2; i += 1) {
      const [{ bookingId }] = (await importBookings([again])).results;
      await api.send('DELETE', `/v0/bookings/${bookingId}`, undefined);
    }
    const live = row();
    await importBookings([live]);
    const before = await api.get(`/v0/bookings/external/${again.externalBookingId}`);
    const job = await importRows(api, `${PATH}?cancelled=skip`, { bookings: [again, live, row()] });
    expect(job).toMatchObject({
      status: 'COMPLETED',
      processedRows: 3,
      succeededRows: 1,
      alreadyImportedRows: 1,
      cancelledBeforeRows: 1,
      failedRows: 0,
    });
    expect(job.results.map(({ outcome }: any) => outcome)).toEqual([
      'CANCELLED_BEFORE',
      'ALREADY_IMPORTED',
      'IMPORTED',
    ]);
    const [, last] = before.body.data;
    const { body: booking } = await api.get(`/v0/bookings/${last.id}`);
    expect(job.results[0]).toMatchObject({ bookingId: last.id, participantIds: booking.participantIds });
    const after = await api.get(`/v0/bookings/external/${again.externalBookingId}`);
    expect(after.body.data).toEqual(before.body.data);
    const { body: rows } = await api.get(`${job.rowsUrl}?outcome=CANCELLED_BEFORE`);
    expect(rows.data.map(({ row: place }: any) => place)).toEqual([0]);
    const retried = await importRows(api, `${PATH}?cancelled=import`, { bookings: [again] });
    expect(retried).toMatchObject({ succeededRows: 1, cancelledBeforeRows: 0 });
  });

  it('completes a job if all its rows are skipped', async () => {
    const { row } = await sale();
    const rows = Array.from({ length: 3 }, () => row());
    for (const { bookingId } of (await importBookings(rows)).results)
      await api.send('DELETE', `/v0/bookings/${bookingId}`, undefined);
    const job = await importRows(api, `${PATH}?cancelled=skip`, { bookings: rows });
    expect(job).toMatchObject({ status: 'COMPLETED', cancelledBeforeRows: 3, processedRows: 3 });
  });

  it('is a different request from the same body without it, under one Idempotency-Key', async () => {
    const { row } = await sale();
    const body = { bookings: [row()] };
    const headers = { 'idempotency-key': 'nightly' };
    const post = (query: string) => api.send('POST', `/v0/${PATH}${query}`, body, undefined, headers);
    const first = await post('?cancelled=skip');
    expect((await post('?cancelled=skip')).body.jobId).toBe(first.body.jobId);
    expect(await post('')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('parameters') },
    });
  });

  it('rejects other values, and imports without this parameter', async () => {
    const { row } = await sale();
    const refused = await api.send('POST', `/v0/${PATH}?cancelled=maybe`, { bookings: [row()] });
    expect(refused.body.message).toBe('cancelled must be one of import, skip');
    const other = await api.send('POST', '/v0/credits/import?cancelled=skip', { credits: [] });
    expect(other.status).toBe(400);
  });
});
