import { event, occurrence, race } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';
import { errorsOf, importRows, sale as saleOf } from './import';

/** Times without a zone are local to the one event that they belong to. */

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

/** A ticket of an event in the time zone. */
async function sale(timeZone: string) {
  const { organizationId } = api;
  const { id: eventOccurrenceId } = await occurrence(api.dataSource, { organizationId, timeZone });
  const { id: raceId } = await race(api.dataSource, { organizationId, eventOccurrenceId });
  return { eventOccurrenceId, ...(await saleOf(api, { raceId })) };
}

let serial = 0;
const codeRow = (given: object) => ({
  code: `LOCAL-${++serial}`,
  discount: { type: 'PERCENTAGE', amount: 10, isAppliedToBookingFee: false },
  ...given,
});
const importCodes = (discountCodes: object[]) => importRows(api, 'discount-codes/import', { discountCodes });
const importBookings = (bookings: object[]) => importRows(api, 'bookings/import', { bookings });
const creditRow = (given: object) => ({
  externalCreditId: `local-${++serial}`,
  email: 'ada@example.com',
  amount: { value: 2500, currencyCode: 'GBP' },
  ...given,
});

it('a code that is valid until 23:59 is valid at 23:30, and not after midnight, at the event', async () => {
  const { eventOccurrenceId, row } = await sale('America/New_York');
  const code = codeRow({
    eventOccurrenceIds: [eventOccurrenceId],
    startDateTime: '2026-03-01T00:00:00',
    endDateTime: '2026-04-30T23:59:00',
  });
  const [{ discountCodeId }] = (await importCodes([code])).results;
  expect((await api.get(`/v0/discount-codes/${discountCodeId}`)).body).toMatchObject({
    startDateTime: '2026-03-01T05:00:00.000000Z',
    endDateTime: '2026-05-01T03:59:00.000000Z',
  });
  const job = await importBookings(
    ['2026-04-30T23:30:00', '2026-05-01T03:30:00Z', '2026-05-01T00:30:00'].map((bookedAt) =>
      row({ bookedAt, discountCode: code.code }),
    ),
  );
  expect(errorsOf(job)).toEqual([[2, 'DISCOUNT_CODE_NOT_APPLICABLE']]);
  const { body } = await api.get(`/v0/bookings/${job.results[0].bookingId}`);
  expect(body.bookedAt).toBe('2026-05-01T03:30:00.000000Z');
});

it('a booking that is sent again with the same local time does not differ', async () => {
  const { row } = await sale('Asia/Kolkata');
  const booking = row({ bookedAt: '2026-04-30T23:30:00' });
  await importBookings([booking]);
  const same = { ...booking, bookedAt: '2026-04-30T18:00:00Z' };
  expect((await importBookings([booking])).results).toMatchObject([{ differs: [] }]);
  const correction = await importRows(api, 'bookings/import', { bookings: [same] }, { method: 'PUT' });
  expect(correction.results).toMatchObject([{ outcome: 'UNCHANGED' }]);
});

it('a code for all or several events needs a zone, and both its times the same', async () => {
  const [one, other] = [await sale('Europe/Berlin'), await sale('Europe/Berlin')];
  const refused = async (given: object) => {
    const { status, body } = await api.send('POST', '/v0/discount-codes/import', {
      discountCodes: [codeRow(given)],
    });
    return [status, body.problems?.map(({ path, code }: any) => [path, code])];
  };
  const local = '2026-04-30T23:59:00';
  const several = [one.eventOccurrenceId, other.eventOccurrenceId];
  expect(await refused({ endDateTime: local })).toEqual([
    400,
    [['discountCodes[0].endDateTime', 'TIME_ZONE_REQUIRED']],
  ]);
  expect(await refused({ startDateTime: local, eventOccurrenceIds: several })).toEqual([
    400,
    [['discountCodes[0].startDateTime', 'TIME_ZONE_REQUIRED']],
  ]);
  expect(
    await refused({
      startDateTime: '2026-01-01T00:00:00Z',
      endDateTime: local,
      eventOccurrenceIds: [several[0]],
    }),
  ).toEqual([400, [['discountCodes[0].endDateTime', 'INVALID_COMBINATION']]]);
  const job = await importCodes([codeRow({ endDateTime: `${local}+02:00`, eventOccurrenceIds: several })]);
  expect(job.succeededRows).toBe(1);
});

it('a credit expires in the time zone of its event, if that has one', async () => {
  const { organizationId } = api;
  const { id: eventId } = await event(api.dataSource, { organizationId });
  const expiring = creditRow({ eventId, expiresAt: '2026-12-31T23:59:59' });
  const edition = (timeZone: string) => occurrence(api.dataSource, { organizationId, eventId, timeZone });
  const post = async (row: object) => importRows(api, 'credits/import', { credits: [row] });
  expect(errorsOf(await post(expiring))).toEqual([[0, 'TIME_ZONE_REQUIRED']]);
  await edition('Australia/Adelaide');
  await edition('Australia/Adelaide');
  const [{ creditId }] = (await post(expiring)).results;
  expect((await api.get(`/v0/credits/${creditId}`)).body.expiresAt).toBe('2026-12-31T13:29:59.000000Z');
  await edition('Australia/Perth');
  const failed = await post({ ...expiring, externalCreditId: 'local-other' });
  expect(failed.errors).toMatchObject([
    { code: 'TIME_ZONE_REQUIRED', message: expect.stringContaining('such as 2027-05-01T23:59:00+02:00') },
  ]);
  const { status, body } = await api.send('POST', '/v0/credits/import', {
    credits: [creditRow({ expiresAt: '2026-12-31T23:59:59' })],
  });
  expect([status, body.message]).toEqual([
    400,
    'credits[0].expiresAt must have a zone, such as 2027-05-01T23:59:00+02:00 or 2027-05-01T21:59:00Z, because the row ' +
      'does not name one event with one time zone, whose local time it could be',
  ]);
});

it('a deadline that exists twice or not at all is refused with both readings, because clocks change', async () => {
  const { eventOccurrenceId } = await sale('Europe/Berlin');
  const job = await importCodes(
    ['2026-10-25T02:30:00', '2026-03-29T02:30:00', '2026-10-25T02:30:00+01:00'].map((endDateTime) =>
      codeRow({ eventOccurrenceIds: [eventOccurrenceId], endDateTime }),
    ),
  );
  expect(job.errors).toMatchObject([
    {
      ...{ row: 0, path: 'endDateTime', code: 'AMBIGUOUS_TIME' },
      message:
        'endDateTime exists twice in Europe/Berlin, because clocks change: write 2026-10-25T02:30:00+02:00 or 2026-10-25T02:30:00+01:00',
    },
    {
      ...{ row: 1, path: 'endDateTime', code: 'AMBIGUOUS_TIME' },
      message:
        'endDateTime does not exist in Europe/Berlin, because clocks change: write 2026-03-29T03:30:00+02:00 or 2026-03-29T01:30:00+01:00',
    },
  ]);
});

it('of a booking, the first reading is taken where clocks change, and reported', async () => {
  const { row } = await sale('Europe/Berlin');
  const job = await importBookings(
    ['2025-10-26T02:30:00', '2026-03-29T02:30:00'].map((bookedAt) => row({ bookedAt })),
  );
  expect(job).toMatchObject({ succeededRows: 2, warnedRows: 2 });
  expect(job.results.map(({ warnings }: any) => warnings)).toEqual([
    [
      {
        ...{ path: 'bookedAt', code: 'AMBIGUOUS_TIME' },
        message:
          'bookedAt exists twice in Europe/Berlin, because clocks change: ' +
          '2025-10-26T02:30:00+02:00 is stored, not 2025-10-26T02:30:00+01:00',
      },
    ],
    [expect.objectContaining({ message: expect.stringContaining('does not exist in Europe/Berlin') })],
  ]);
  const read = job.results.map(
    async ({ bookingId }) => (await api.get(`/v0/bookings/${bookingId}`)).body.bookedAt,
  );
  expect(await Promise.all(read)).toEqual(['2025-10-26T00:30:00.000000Z', '2026-03-29T01:30:00.000000Z']);
});
