import type { INestApplicationContext } from '@nestjs/common';
import { addOnAllocation, booking, key, organization, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { startApi, startWorker, type TestApi } from '../harness';
import { errorsOf, finished, importRows } from './import';

let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  api = await startApi();
  worker = await startWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

const PATH = 'bookings/line-items/import';
let serial = 0;
const pounds = (value: number) => ({ value, currencyCode: 'GBP' });
const row = (given: object) => ({
  externalLineItemId: `line-${++serial}`,
  itemType: 'BOOKING_FEE',
  name: 'Booking fee',
  amount: pounds(150),
  ...given,
});
const post = (lineItems: object[], method = 'POST') => importRows(api, PATH, { lineItems }, { method });
const put = (lineItems: object[]) => post(lineItems, 'PUT');
/** A booking without line items, with total zero. */
const booked = (given: object = {}) =>
  booking(api.dataSource, { organizationId: api.organizationId, totalValue: '0', ...given });
const totalOf = async (id: string) => (await api.get(`/v0/bookings/${id}`)).body.total;
const itemsOf = async (id: string) => (await api.get(`/v0/bookings/${id}/line-items`)).body.data;

describe('POST /v0/bookings/line-items/import', () => {
  it('adds payments, and updates the total', async () => {
    const of = await booked();
    const participantId = of.entries[0]?.participantId;
    const rows = [
      row({
        externalBookingId: of.externalBookingId,
        participantId,
        itemType: 'TICKET',
        amount: pounds(4500),
      }),
      row({ bookingId: of.id, itemId: 'fee-7', itemSelectionId: 'card' }),
      row({ bookingId: of.id, itemType: 'DISCOUNT', name: 'EARLY10', amount: pounds(-450) }),
      row({ bookingId: of.id, itemType: 'CREDIT', amount: { value: 0, currencyCode: 'ZERO' } }),
    ];
    const job = await post(rows);
    expect(job).toMatchObject({ surface: 'lineItemsImport', succeededRows: 4, failedRows: 0 });
    expect(job.results).toEqual(
      rows.map(({ externalLineItemId }, i) => ({
        row: i,
        outcome: 'IMPORTED',
        alreadyImported: false,
        externalLineItemId,
        lineItemId: expect.any(String),
      })),
    );
    expect(await totalOf(of.id)).toEqual(pounds(4200));
    const items = await itemsOf(of.id);
    expect(items).toHaveLength(4);
    expect(items).toContainEqual({
      id: job.results[1].lineItemId,
      amount: pounds(150),
      itemType: 'BOOKING_FEE',
      name: 'Booking fee',
      itemId: 'fee-7',
      itemSelectionId: 'card',
      participantId: null,
      externalLineItemId: rows[1]?.externalLineItemId,
      bookingId: of.id,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(items.find(({ itemType }: any) => itemType === 'TICKET')).toMatchObject({ participantId });
  });

  it('reports a row whose id exists, and changes nothing', async () => {
    const of = await booked();
    const first = row({ bookingId: of.id });
    const [{ lineItemId }] = (await post([first])).results;
    const job = await post([{ ...first, amount: pounds(999) }]);
    expect(job).toMatchObject({
      alreadyImportedRows: 1,
      results: [{ outcome: 'ALREADY_IMPORTED', alreadyImported: true, lineItemId }],
    });
    expect(await totalOf(of.id)).toEqual(pounds(150));
  });

  it('stores a donation on its participant', async () => {
    const { organizationId } = api;
    const { id: ticketId } = await ticket(api.dataSource, { organizationId, asksDonation: true });
    const of = await booked({ ticketId, entries: [{ hasDonated: false }, { hasDonated: false }] });
    const [giver, other] = of.entries;
    await post([row({ bookingId: of.id, participantId: giver?.participantId, itemType: 'DONATION' })]);
    expect((await api.get(`/v0/applications/${giver?.id}`)).body.hasDonated).toBe(true);
    expect((await api.get(`/v0/applications/${other?.id}`)).body.hasDonated).toBe(false);
  });

  it('stores a donation also before the ticket asks for one', async () => {
    const { organizationId } = api;
    const { id: ticketId } = await ticket(api.dataSource, { organizationId });
    const of = await booked({ ticketId, entries: [{}, {}] });
    const donation = row({
      bookingId: of.id,
      participantId: of.entries[0]?.participantId,
      itemType: 'DONATION',
    });
    const shown = () =>
      Promise.all(
        of.entries.map(async ({ id }) => (await api.get(`/v0/applications/${id}`)).body.hasDonated),
      );
    await post([donation]);
    expect(await shown()).toEqual([undefined, undefined]);
    await api.dataSource.query('UPDATE tickets SET asks_donation = true WHERE id = $1', [ticketId]);
    expect(await shown()).toEqual([true, false]);
    await put([{ ...donation, itemType: 'BOOKING_FEE' }]);
    expect(await shown()).toEqual([false, false]);
  });

  it('removes the donation from the participant if it is replaced', async () => {
    const { organizationId } = api;
    const { id: ticketId } = await ticket(api.dataSource, { organizationId, asksDonation: true });
    const of = await booked({ ticketId, entries: [{ hasDonated: false }, { hasDonated: false }] });
    const [giver, other] = of.entries;
    const donation = row({ bookingId: of.id, participantId: giver?.participantId, itemType: 'DONATION' });
    const donated = async () => [
      (await api.get(`/v0/applications/${giver?.id}`)).body.hasDonated,
      (await api.get(`/v0/applications/${other?.id}`)).body.hasDonated,
    ];
    await post([donation]);
    await put([{ ...donation, participantId: other?.participantId }]);
    expect(await donated()).toEqual([false, true]);
    await put([{ ...donation, participantId: other?.participantId, itemType: 'BOOKING_FEE' }]);
    expect(await donated()).toEqual([false, false]);
  });

  it('warns of refunds beyond what was paid, discounts and credits together, and stores them', async () => {
    const of = await booked();
    const refund = (value: number) => row({ bookingId: of.id, itemType: 'REFUND', amount: pounds(value) });
    const paid = await post([
      row({ bookingId: of.id, itemType: 'TICKET', amount: pounds(5000) }),
      row({ bookingId: of.id, itemType: 'DISCOUNT', amount: pounds(-1000) }),
      refund(-4000),
    ]);
    expect(paid).toMatchObject({ succeededRows: 3, warnedRows: 0 });
    expect(paid.results[2]).not.toHaveProperty('warnings');
    await api.send('DELETE', `/v0/bookings/${of.id}`, undefined);
    const job = await post([refund(-501), row({ bookingId: newId() })]);
    expect(job).toMatchObject({ succeededRows: 1, failedRows: 1, warnedRows: 1 });
    const warnings = [
      { path: 'amount.value', code: 'REFUND_EXCEEDS_PAID', message: expect.stringContaining(' by 5.01 GBP') },
    ];
    expect(job.results[0]).toMatchObject({ row: 0, outcome: 'IMPORTED', warnings });
    const listed = async (warned: boolean) =>
      (await api.get(`${job.rowsUrl}?warned=${warned}`)).body.data.map(({ row: number }: any) => number);
    expect([await listed(true), await listed(false)]).toEqual([[0], [1]]);
    expect(await totalOf(of.id)).toEqual(pounds(-501));
  });

  it('counts add-ons that were refunded as paid, and unpaid ones not', async () => {
    const warned = async (financialStatus: 'REFUNDED' | 'UNPAID') => {
      const of = await booked();
      const [bought, refund] = [
        row({ bookingId: of.id, itemType: 'ADD_ON' }),
        { itemType: 'REFUND', amount: pounds(-1) },
      ];
      const [{ lineItemId: purchaseLineItemId }] = (await post([bought])).results;
      await addOnAllocation(api.dataSource, { of, financialStatus, purchaseLineItemId });
      return (await post([row({ bookingId: of.id, ...refund })])).warnedRows;
    };
    expect([await warned('REFUNDED'), await warned('UNPAID')]).toEqual([0, 1]);
  });

  it('warns of credits that are spent beyond their amount, by id and external id, and stores them', async () => {
    const externalCreditId = `credit-${++serial}`;
    const credits = [{ externalCreditId, email: 'ada@example.com', amount: pounds(1000) }];
    const [{ creditId }] = (await importRows(api, 'credits/import', { credits })).results;
    const spend = async (value: number, itemId: string) =>
      (
        await post([
          row({ bookingId: (await booked()).id, itemType: 'CREDIT', itemId, amount: pounds(value) }),
        ])
      ).results[0].warnings;
    expect(await spend(-1000, externalCreditId)).toBeUndefined();
    expect(await spend(-25, creditId)).toEqual([
      { path: 'amount.value', code: 'CREDIT_EXCEEDED', message: expect.stringContaining(' by 0.25 GBP') },
    ]);
    expect((await api.get(`/v0/credits/${creditId}`)).body.balance).toEqual(pounds(-25));
    expect(await spend(-25, 'another')).toBeUndefined();
  });

  it('sets the currency of a free booking with its first amount', async () => {
    const of = await booked({ currencyCode: 'ZERO' });
    const job = await post([
      row({ bookingId: of.id }),
      row({ bookingId: of.id, amount: { value: 5, currencyCode: 'EUR' } }),
    ]);
    expect(errorsOf(job)).toEqual([[1, 'CURRENCY_MISMATCH']]);
    expect(await totalOf(of.id)).toEqual(pounds(150));
  });

  it('fails an invalid row alone, with its code', async () => {
    const of = await booked();
    const other = await booked();
    const gone = await booked();
    await api.send('DELETE', `/v0/bookings/${gone.id}`, undefined);
    const { id: strangers } = await organization(api.dataSource);
    const foreign = await booking(api.dataSource, { organizationId: strangers });
    const bookingId = of.id;
    const spoilt: [string, object][] = [
      ['BOOKING_NOT_FOUND', row({ bookingId: newId() })],
      ['BOOKING_NOT_FOUND', row({ externalBookingId: 'nobody' })],
      ['BOOKING_NOT_FOUND', row({ bookingId: foreign.id })],
      ['BOOKING_NOT_FOUND', row({ externalBookingId: foreign.externalBookingId })],
      ['BOOKING_CANCELLED', row({ bookingId: gone.id })],
      ['BOOKING_CANCELLED', row({ externalBookingId: gone.externalBookingId })],
      ['PARTICIPANT_NOT_FOUND', row({ bookingId, participantId: newId() })],
      ['PARTICIPANT_NOT_FOUND', row({ bookingId, participantId: other.entries[0]?.participantId })],
      ['CURRENCY_MISMATCH', row({ bookingId, amount: { value: 1, currencyCode: 'USD' } })],
      ...['ADD_ON', 'DONATION', 'BOOKING_FEE'].map((itemType): [string, object] => [
        'INVALID_SIGN',
        row({ bookingId, itemType, amount: pounds(-1) }),
      ]),
      ...['DISCOUNT', 'CREDIT', 'REFUND'].map((itemType): [string, object] => [
        'INVALID_SIGN',
        row({ bookingId, itemType, amount: pounds(1) }),
      ]),
    ];
    for (const method of ['POST', 'PUT']) {
      const job = await post([...spoilt.map(([, bad]) => bad), row({ bookingId: other.id })], method);
      expect(errorsOf(job)).toEqual(spoilt.map(([code], i) => [i, code]));
      expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: 1, failedRows: spoilt.length });
    }
    expect(await itemsOf(of.id)).toEqual([]);
    expect(await totalOf(other.id)).toEqual(pounds(300));
  });

  it('adds refunds to a cancelled booking, and tickets that became cheaper', async () => {
    const gone = await booked({ status: 'CANCELLED', cancelledAt: new Date() });
    const of = await booked();
    const refund = { itemType: 'REFUND', name: 'Refund', amount: pounds(-500) };
    const change = { itemType: 'TICKET', name: 'Change of ticket', amount: pounds(-300) };
    const rows = [row({ bookingId: gone.id, ...refund }), row({ bookingId: of.id, ...change })];
    expect(errorsOf(await post(rows))).toEqual([]);
    expect([await totalOf(gone.id), await totalOf(of.id)]).toEqual([pounds(-500), pounds(-300)]);
    expect(await itemsOf(gone.id)).toMatchObject([refund]);
  });

  it('finds the refund of a booking again after the booking was cancelled', async () => {
    const of = await booked({ source: 'API' });
    const refund = row({ bookingId: of.id, itemType: 'REFUND', name: 'Refund', amount: pounds(-500) });
    const outcomeOf = async (method: string, given: object) =>
      (await post([given], method)).results?.map(({ outcome }) => outcome);
    expect(await outcomeOf('POST', refund)).toEqual(['IMPORTED']);
    expect((await api.send('DELETE', `/v0/bookings/${of.id}`, undefined)).status).toBe(200);
    expect(await outcomeOf('POST', refund)).toEqual(['ALREADY_IMPORTED']);
    expect(await outcomeOf('PUT', { ...refund, amount: pounds(-400) })).toEqual(['UPDATED']);
    expect([await itemsOf(of.id), await totalOf(of.id)]).toMatchObject([
      [{ amount: pounds(-400) }],
      pounds(-400),
    ]);
    // The id is free for another booking, as those of all that was cancelled.
    const other = await booked();
    expect(await outcomeOf('POST', { ...refund, bookingId: other.id })).toEqual(['IMPORTED']);
  });

  it('gives a free booking back its choice of currency when its amounts are undone', async () => {
    const of = await booked({ currencyCode: 'ZERO' });
    const donation = (currencyCode: string) =>
      row({ bookingId: of.id, itemType: 'DONATION', amount: { value: 500, currencyCode } });
    const { jobId } = await post([donation('EUR')]);
    const { body } = await api.send('POST', `/v0/import-jobs/${jobId}/undo`, {});
    await finished(api, PATH, (body as { jobId: string }).jobId);
    expect(await totalOf(of.id)).toEqual({ value: 0, currencyCode: 'ZERO' });
    expect(errorsOf(await post([donation('GBP')]))).toEqual([]);
    expect(await totalOf(of.id)).toEqual(pounds(500));
  });

  it('rejects a malformed batch, naming row and field', async () => {
    const bookingId = newId();
    const good = row({ bookingId });
    const wrong: [object[], string][] = [
      [[good, row({})], 'lineItems[1] must have bookingId or externalBookingId, and only one of them'],
      [[row({ bookingId, externalBookingId: 'x' })], 'lineItems[0] must have bookingId or externalBookingId'],
      [[good, good], 'lineItems[1].externalLineItemId is the same as in lineItems[0]'],
      [[row({ bookingId, itemType: 'TIP' })], 'lineItems[0].itemType must be one of TICKET'],
      [[row({ bookingId, name: ' ' })], 'lineItems[0].name must not be blank'],
      [[row({ bookingId, amount: 5 })], 'lineItems[0].amount must be an object'],
    ];
    for (const method of ['POST', 'PUT']) {
      for (const [lineItems, message] of wrong) {
        const { status, body } = await api.send(method, `/v0/${PATH}`, { lineItems });
        expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
      }
    }
  });

  it('rejects other organizations', async () => {
    const { id: organizationId } = await organization(api.dataSource, { surfaces: ['bookingsImport'] });
    const { token } = await key(api.dataSource, { organizationId });
    for (const method of ['POST', 'PUT']) {
      const { status, body } = await api.send(method, `/v0/${PATH}`, '{', token);
      expect([status, body.message]).toEqual([403, expect.stringContaining('lineItemsImport')]);
    }
  });
});

describe('PUT /v0/bookings/line-items/import', () => {
  it('creates, then replaces, and updates the total', async () => {
    const of = await booked();
    const one = row({ bookingId: of.id });
    const created = await put([one]);
    expect(created.results).toMatchObject([{ outcome: 'IMPORTED', alreadyImported: false }]);
    const [{ lineItemId }] = created.results;
    const other = row({ bookingId: of.id, amount: pounds(50) });
    const replaced = await put([
      { ...one, itemType: 'REFUND', name: 'Goodwill', amount: pounds(-100) },
      other,
    ]);
    expect(replaced).toMatchObject({
      succeededRows: 2,
      results: [{ outcome: 'UPDATED', alreadyImported: false, lineItemId }, { outcome: 'IMPORTED' }],
    });
    expect(await totalOf(of.id)).toEqual(pounds(-50));
    expect(await itemsOf(of.id)).toContainEqual(
      expect.objectContaining({ id: lineItemId, itemType: 'REFUND', name: 'Goodwill', amount: pounds(-100) }),
    );
  });

  it('moves an item to another booking, and updates both totals', async () => {
    const [from, to] = [await booked(), await booked()];
    const one = row({ bookingId: from.id });
    await put([one]);
    await put([{ ...one, bookingId: to.id }]);
    expect([await totalOf(from.id), await totalOf(to.id)]).toEqual([pounds(0), pounds(150)]);
    expect(await itemsOf(from.id)).toEqual([]);
  });

  it('adds many rows of one booking in one job', async () => {
    const of = await booked();
    const rows = Array.from({ length: 40 }, (_, i) => row({ bookingId: of.id, amount: pounds(i + 1) }));
    expect((await put(rows)).succeededRows).toBe(40);
    expect(await totalOf(of.id)).toEqual(pounds(820));
  });

  it('keeps totals correct if concurrent jobs replace and move the same items', async () => {
    const [a, b] = [await booked(), await booked()];
    const rows = Array.from({ length: 30 }, () => row({ bookingId: a.id, amount: pounds(1) }));
    await put(rows);
    const second = await startWorker(api, { STARTLINE_TEST_IMPORT_CHUNK_ROWS: '7' });
    try {
      const moves = [a.id, b.id, a.id, b.id, a.id, b.id].map((bookingId) =>
        put(rows.map((each) => ({ ...each, bookingId }))),
      );
      const jobs = await Promise.all(moves);
      expect(jobs.map(({ failedRows }) => failedRows)).toEqual([0, 0, 0, 0, 0, 0]);
    } finally {
      await second.close();
    }
    for (const { id } of [a, b]) {
      expect((await totalOf(id)).value).toBe((await itemsOf(id)).length);
    }
    expect((await itemsOf(a.id)).length + (await itemsOf(b.id)).length).toBe(30);
  });

  it('accepts an external id that a cancellation freed', async () => {
    const [of, next] = [await booked(), await booked()];
    const one = row({ bookingId: of.id });
    const [{ lineItemId }] = (await post([one])).results;
    await api.send('DELETE', `/v0/bookings/${of.id}`, undefined);
    const [again] = (await post([{ ...one, bookingId: next.id }])).results;
    expect(again).toMatchObject({ outcome: 'IMPORTED' });
    expect(again.lineItemId).not.toBe(lineItemId);
    expect(await totalOf(next.id)).toEqual(pounds(150));
    expect(await totalOf(of.id)).toEqual(pounds(150));
  });
});
