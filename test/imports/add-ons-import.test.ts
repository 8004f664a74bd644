import {
  addOn,
  addOnAllocation,
  addOnVariant,
  booking,
  occurrence,
  organization,
  ticket,
} from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { errorsOf, importRows } from './import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const PATH = 'add-ons/import';
let serial = 0;
const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const pounds = (value: number) => ({ value, currencyCode: 'GBP' });
const post = (addOns: object[], method = 'POST') => importRows(api, PATH, { addOns }, { method });
const allocationsOf = async (id: string) =>
  (await api.get(`/v0/bookings/${id}/add-on-allocations`)).body.data;
const itemsOf = async (id: string) => (await api.get(`/v0/bookings/${id}/line-items`)).body.data;
const totalOf = async (id: string) => (await api.get(`/v0/bookings/${id}`)).body.total;

/** A booking of one participant, a shirt in two sizes for the event, and rows that allocate it. */
async function shop() {
  const of = await booking(
    api.dataSource,
    mine({ totalValue: '0', entries: [{ externalParticipantId: `runner-${++serial}` }] }),
  );
  const { id: addOnId } = await addOn(api.dataSource, mine({ eventId: of.eventId, title: 'Shirt' }));
  const { id: variantId } = await addOnVariant(api.dataSource, mine({ addOnId, title: 'M' }));
  const participantId = of.entries[0]?.participantId as string;
  const row = (given: object = {}) => ({
    externalAllocationId: `allocation-${++serial}`,
    participantId,
    addOnId,
    quantity: 2,
    unitPrice: pounds(1500),
    ...given,
  });
  const byOwnNames = {
    participantId: undefined,
    externalBookingId: of.externalBookingId,
    externalParticipantId: of.entries[0]?.externalParticipantId,
  };
  return { of, addOnId, variantId, participantId, row, byOwnNames };
}

describe('POST /v0/add-ons/import', () => {
  it('allocates an add-on, with a line item of quantity times price, and updates the total', async () => {
    const { of, row, addOnId, variantId, participantId, byOwnNames } = await shop();
    const rows = [
      row({ variantId, operationalStatus: 'FULFILLED', financialStatus: 'UNPAID' }),
      row({ ...byOwnNames, quantity: 1 }),
    ];
    const job = await post(rows);
    expect(job).toMatchObject({ surface: 'addOnsImport', succeededRows: 2 });
    expect(job.results).toEqual(
      rows.map(({ externalAllocationId }, i) => ({
        row: i,
        outcome: 'IMPORTED',
        alreadyImported: false,
        externalAllocationId,
        allocationId: expect.any(String),
        lineItemId: expect.any(String),
      })),
    );
    const [first, second] = await allocationsOf(of.id);
    expect(first).toMatchObject({
      id: job.results[0].allocationId,
      externalAllocationId: rows[0]?.externalAllocationId,
      participantId,
      purchaseLineItemId: job.results[0].lineItemId,
      addOn: { id: addOnId, title: 'Shirt' },
      variant: { id: variantId, title: 'M' },
      quantity: 2,
      operationalStatus: 'FULFILLED',
      financialStatus: 'UNPAID',
    });
    expect(second).toMatchObject({
      participantId,
      variant: null,
      quantity: 1,
      operationalStatus: 'ALLOCATED',
      financialStatus: 'PAID',
    });
    expect(await itemsOf(of.id)).toContainEqual(
      expect.objectContaining({
        id: job.results[0].lineItemId,
        itemType: 'ADD_ON',
        name: 'Shirt',
        amount: pounds(3000),
        itemId: addOnId,
        itemSelectionId: variantId,
        participantId,
      }),
    );
    expect(await totalOf(of.id)).toEqual(pounds(1500));
  });

  it('reports a row whose id exists, and changes nothing', async () => {
    const { of, row } = await shop();
    const first = row();
    const { results } = await post([first]);
    const job = await post([{ ...first, quantity: 9 }]);
    expect(job.alreadyImportedRows).toBe(1);
    expect(job.results).toEqual([{ ...results[0], outcome: 'ALREADY_IMPORTED', alreadyImported: true }]);
    expect(await totalOf(of.id)).toEqual(pounds(3000));
  });

  it('fails an invalid row alone, with its code', async () => {
    const { row, of, byOwnNames } = await shop();
    const elsewhere = await shop();
    const gone = await shop();
    const unnamed = await booking(api.dataSource, mine({ eventId: of.eventId }));
    await api.send('DELETE', `/v0/bookings/${gone.of.id}`, undefined);
    const { eventId, id: otherOccurrence } = await occurrence(api.dataSource, mine({ eventId: of.eventId }));
    const ofOther = await addOn(api.dataSource, mine({ eventId, eventOccurrenceId: otherOccurrence }));
    const pending = await booking(
      api.dataSource,
      mine({ entries: [{ approvalStatus: 'PENDING' as const }] }),
    );
    const { id: strangers } = await organization(api.dataSource);
    const foreign = await booking(api.dataSource, { organizationId: strangers });
    const foreignAddOn = await addOn(api.dataSource, { organizationId: strangers, eventId: foreign.eventId });
    const spoilt: [string, object][] = [
      ['PARTICIPANT_NOT_FOUND', row({ participantId: newId() })],
      ['PARTICIPANT_NOT_FOUND', row({ participantId: foreign.entries[0]?.participantId })],
      ['PARTICIPANT_NOT_FOUND', row({ participantId: pending.entries[0]?.participantId })],
      ['PARTICIPANT_NOT_FOUND', row({ ...byOwnNames, externalParticipantId: 'nobody' })],
      [
        'PARTICIPANT_NOT_FOUND',
        row({
          externalParticipantId: 'null',
          participantId: undefined,
          externalBookingId: unnamed.externalBookingId,
        }),
      ],
      ['BOOKING_NOT_FOUND', row({ ...byOwnNames, externalBookingId: 'nobody' })],
      ['BOOKING_NOT_FOUND', row({ ...byOwnNames, externalBookingId: foreign.externalBookingId })],
      ['BOOKING_CANCELLED', gone.row()],
      ['BOOKING_CANCELLED', gone.row(gone.byOwnNames)],
      ['ADD_ON_NOT_FOUND', row({ addOnId: newId() })],
      ['ADD_ON_NOT_FOUND', row({ addOnId: elsewhere.addOnId })],
      ['ADD_ON_NOT_FOUND', row({ addOnId: ofOther.id })],
      ['ADD_ON_NOT_FOUND', row({ addOnId: foreignAddOn.id })],
      ['ADD_ON_NOT_FOUND', row({ variantId: newId() })],
      ['ADD_ON_NOT_FOUND', row({ variantId: elsewhere.variantId })],
      ['CURRENCY_MISMATCH', row({ unitPrice: { value: 1, currencyCode: 'EUR' } })],
    ];
    for (const method of ['POST', 'PUT']) {
      const job = await post([...spoilt.map(([, bad]) => bad), elsewhere.row()], method);
      expect(errorsOf(job)).toEqual(spoilt.map(([code], i) => [i, code]));
      expect(job.succeededRows).toBe(1);
    }
    expect(await allocationsOf(of.id)).toEqual([]);
  });

  it('rejects a malformed batch, naming row and field', async () => {
    const { row, byOwnNames } = await shop();
    const good = row();
    const either = ' must have participantId, or externalBookingId together with externalParticipantId';
    const wrong: [object[], string][] = [
      [[good, row({ participantId: undefined })], `addOns[1]${either}`],
      [[row({ ...byOwnNames, externalParticipantId: undefined })], `addOns[0]${either}`],
      [[row({ externalBookingId: 'x' })], `addOns[0]${either}`],
      [[row({ quantity: 0 })], 'addOns[0].quantity must be at least 1'],
      [[row({ quantity: 101 })], 'addOns[0].quantity must be at most 100'],
      [[row({ unitPrice: pounds(-1) })], 'addOns[0].unitPrice.value must not be negative'],
      [[row({ operationalStatus: 'LOST' })], 'addOns[0].operationalStatus must be one of ALLOCATED'],
      [[good, good], 'addOns[1].externalAllocationId is the same as in addOns[0]'],
    ];
    for (const method of ['POST', 'PUT']) {
      for (const [addOns, message] of wrong) {
        const { status, body } = await api.send(method, `/v0/${PATH}`, { addOns });
        expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
      }
    }
  });
});

describe('PUT /v0/add-ons/import', () => {
  it('creates, then replaces allocation and line item', async () => {
    const { of, row, variantId } = await shop();
    const one = row();
    const [created] = (await post([one], 'PUT')).results;
    expect(created).toMatchObject({ outcome: 'IMPORTED' });
    const again = {
      ...one,
      variantId,
      quantity: 3,
      operationalStatus: 'CANCELLED',
      financialStatus: 'REFUNDED',
    };
    const [replaced] = (await post([again], 'PUT')).results;
    expect(replaced).toEqual({ ...created, outcome: 'UPDATED' });
    expect(await allocationsOf(of.id)).toMatchObject([
      {
        quantity: 3,
        variant: { id: variantId },
        operationalStatus: 'CANCELLED',
        financialStatus: 'REFUNDED',
      },
    ]);
    expect(await itemsOf(of.id)).toMatchObject([{ amount: pounds(4500), itemSelectionId: variantId }]);
    expect(await totalOf(of.id)).toEqual(pounds(0));
  });

  it('moves an allocation to another participant, and updates both totals', async () => {
    const from = await shop();
    const { id: ticketId } = await ticket(
      api.dataSource,
      mine({ eventOccurrenceId: from.of.eventOccurrenceId }),
    );
    const to = await booking(api.dataSource, mine({ totalValue: '0', ticketId }));
    const one = from.row();
    await post([one]);
    const moved = await post([{ ...one, participantId: to.entries[0]?.participantId }], 'PUT');
    expect(moved.results).toMatchObject([{ outcome: 'UPDATED' }]);
    expect([await totalOf(from.of.id), await totalOf(to.id)]).toEqual([pounds(0), pounds(3000)]);
    expect([await allocationsOf(from.of.id), await itemsOf(from.of.id)]).toEqual([[], []]);
  });

  it('charges an allocation that had no line item', async () => {
    const { of, row } = await shop();
    const { externalAllocationId, id } = await addOnAllocation(api.dataSource, { of });
    const [result] = (await post([row({ externalAllocationId })], 'PUT')).results;
    expect(result).toMatchObject({ outcome: 'UPDATED', allocationId: id });
    expect(await itemsOf(of.id)).toMatchObject([{ id: result.lineItemId, amount: pounds(3000) }]);
    expect(await allocationsOf(of.id)).toMatchObject([{ purchaseLineItemId: result.lineItemId }]);
  });

  it('accepts an external id that a cancellation freed', async () => {
    const [before, after] = [await shop(), await shop()];
    const one = before.row();
    const [first] = (await post([one])).results;
    await api.send('DELETE', `/v0/bookings/${before.of.id}`, undefined);
    const [again] = (await post([after.row({ externalAllocationId: one.externalAllocationId })])).results;
    expect(again).toMatchObject({ outcome: 'IMPORTED' });
    expect(again.allocationId).not.toBe(first.allocationId);
  });
});
