import { bookingFormField } from '#libs/testing';
import { eventually, sharedApi, type TestApi } from '../harness';
import { errorsOf, importRows, sale } from '../imports/import';

/** Days of a registration desk that need several operations. */

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
  const { organizationId } = api;
  for (const key of ['firstName', 'lastName'])
    await bookingFormField(api.dataSource, { organizationId, key });
});
afterAll(() => api.close());

const pounds = (value: number) => ({ value, currencyCode: 'GBP' });
const booked = async (row: object) => {
  const [{ bookingId, participantIds }] = (await importRows(api, 'bookings/import', { bookings: [row] }))
    .results as any;
  return { bookingId: bookingId as string, ids: participantIds as string[] };
};
const refund = (bookingId: string, value: number) =>
  importRows(api, 'bookings/line-items/import', {
    lineItems: [
      {
        ...{ externalLineItemId: `refund-${bookingId}`, bookingId, itemType: 'REFUND', name: 'Refund' },
        amount: pounds(value),
      },
    ],
  });
const totalOf = async (bookingId: string) =>
  ((await api.get(`/v0/bookings/${bookingId}`)).body as any).total.value;

it('a company sends its 60 runners again, in the other order: each keeps their bib', async () => {
  const { row, participant } = await sale(api);
  const runners = Array.from({ length: 60 }, (_, i) =>
    participant({ firstName: `Runner ${i}`, lastName: null }),
  );
  const order = row({
    booker: { email: 'hr@acme.example', firstName: '', lastName: 'ACME' },
    participants: runners.map((each, i) => ({ ...each, bibNumber: `C${i}` })),
  });
  const { ids } = await booked(order);
  const again = [{ ...(runners[59] as object), tags: ['captain'] }, ...runners.slice(0, 59).reverse()];
  const job = await importRows(
    api,
    'bookings/import',
    { bookings: [{ ...order, participants: again }] },
    { method: 'PUT' },
  );
  expect(job.results).toMatchObject([
    { outcome: 'UPDATED', differs: ['participants[0].tags'], participantIds: ids.toReversed() },
  ]);
  const { body } = await api.get(`/v0/participants/${ids[59]}`);
  expect(body).toMatchObject({ bibNumber: 'C59', tags: ['captain'] });
});

it('one of two falls ill and is refunded: who polls money sees the refund, and the other runs', async () => {
  const { row, participant } = await sale(api, { priceValue: '4500' });
  const { bookingId, ids } = await booked(row({ participants: [participant(), participant()] }));
  const { updatedAt } = (await api.get(`/v0/bookings/${bookingId}`)).body as any;
  await api.send('DELETE', `/v0/participants/${ids[0]}`, undefined);
  expect(await totalOf(bookingId)).toBe(9000);
  expect(errorsOf(await refund(bookingId, -4500))).toEqual([]);
  // The lists end at the watermark.
  const changed = (path: string, isIt: (item: any) => boolean) =>
    eventually(async () => {
      const { body } = await api.get(`${path}?updatedAt%5Bafter%5D=${updatedAt}`);
      return (body as any).data.find(isIt);
    });
  const isRefund = (item: any) => item.bookingId === bookingId && item.itemType === 'REFUND';
  expect(await changed('/v0/line-items', isRefund)).toMatchObject({ amount: pounds(-4500) });
  const isRefunded = ({ id, total }: any) => id === bookingId && total.value === 4500;
  expect(await changed('/v0/bookings', isRefunded)).toMatchObject({ status: 'CONFIRMED' });
});

it('a booking paid with a credit and a card is cancelled: the credit is back, so only the card is refunded', async () => {
  const { row } = await sale(api, { priceValue: '4500' });
  const credit = { externalCreditId: 'voucher', email: 'ada@example.com', amount: pounds(1000) };
  const [{ creditId }] = (await importRows(api, 'credits/import', { credits: [credit] })).results as any;
  const balance = async () => ((await api.get(`/v0/credits/${creditId}`)).body as any).balance.value;
  const { bookingId } = await booked(row());
  await importRows(api, 'bookings/line-items/import', {
    lineItems: [
      {
        ...{ externalLineItemId: `credit-${bookingId}`, bookingId, itemType: 'CREDIT', name: 'Voucher' },
        ...{ itemId: 'voucher', amount: pounds(-1000) },
      },
    ],
  });
  expect([await totalOf(bookingId), await balance()]).toEqual([3500, 0]);
  await api.send('DELETE', `/v0/bookings/${bookingId}`, undefined);
  expect((await refund(bookingId, -4500)).results).toMatchObject([
    { warnings: [{ code: 'REFUND_EXCEEDS_PAID', message: expect.stringContaining('by 10.00 GBP') }] },
  ]);
  expect([await totalOf(bookingId), await balance()]).toEqual([-1000, 1000]);
});
