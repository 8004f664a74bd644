import { addOn, booking, discountCode, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { errorsOf, importRows, sale as saleOf } from './import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const pounds = (value: number) => ({ value, currencyCode: 'GBP' });
const percent = (amount: number) => ({ type: 'PERCENTAGE' as const, amount, isAppliedToBookingFee: false });
const flat = (value: number, currencyCode = 'GBP') => ({
  type: 'FLAT_RATE' as const,
  price: { value, currencyCode },
});
let serial = 0;

/** A ticket for 45 pounds by default, and rows that book it. */
const sale = (given?: object) => saleOf(api, given);
const code = async (given: object) => (await discountCode(api.dataSource, mine(given))).code;
const post = (bookings: object[]) => importRows(api, 'bookings/import', { bookings });

/** A row's booking: its total, its entries' original prices, and its line items as type, amount and participant. */
async function sold(row: object) {
  const [{ bookingId, participantIds, error }] = (await post([row])).results;
  if (error) throw new Error(error.message);
  const { body } = await api.get(`/v0/bookings/${bookingId}`);
  const items = (await api.get(`/v0/bookings/${bookingId}/line-items`)).body.data;
  const originals: number[] = [];
  for (const id of participantIds)
    originals.push((await api.get(`/v0/participants/${id}`)).body.originalTicketPrice.value);
  return {
    total: body.total,
    originals,
    items: items.map(({ itemType, amount, participantId }: any) => [
      itemType,
      amount.value,
      participantId === null ? null : participantIds.indexOf(participantId),
    ]),
  };
}

describe('a discount code in a booking import', () => {
  it('deducts a percentage from each applicable entry, rounded half up', async () => {
    const { row, participant, ticket: one } = await sale({ priceValue: '4501' });
    const other = await ticket(api.dataSource, mine({ raceId: one.raceId }));
    const discount = await code({ discount: percent(50), appliesPer: 'ENTRY', ticketIds: [one.id] });
    const participants = [participant(), participant({ ticketId: other.id }), participant()];
    expect(await sold(row({ discountCode: discount.toLowerCase(), participants }))).toEqual({
      total: pounds(4501 + 4500 + 4501 - 2 * 2251),
      originals: [4501, 4500, 4501],
      items: [
        ['TICKET', 4501, 0],
        ['TICKET', 4500, 1],
        ['TICKET', 4501, 2],
        ['DISCOUNT', -2251, 0],
        ['DISCOUNT', -2251, 2],
      ],
    });
  });

  it('deducts a flat rate once per booking, and no price falls below zero', async () => {
    const { row, participant } = await sale();
    const two = [participant(), participant()];
    const ten = await code({ discount: flat(1000) });
    expect((await sold(row({ discountCode: ten, participants: two }))).items).toContainEqual([
      'DISCOUNT',
      -1000,
      null,
    ]);
    const all = await code({ discount: flat(100_000) });
    expect(await sold(row({ discountCode: all, participants: two }))).toMatchObject({ total: pounds(0) });
  });

  it('discounts no more entries than its limit per transaction', async () => {
    const { row, participant } = await sale();
    const twice = await code({
      discount: percent(100),
      appliesPer: 'ENTRY',
      limitUsage: 10,
      limitUsagePerTransaction: 2,
    });
    const participants = [participant(), participant(), participant()];
    expect((await sold(row({ discountCode: twice, participants }))).total).toEqual(pounds(4500));
  });

  it('does not change prices that already include it, and still counts its use', async () => {
    const { row, participant } = await sale();
    const { id, code: used } = await discountCode(
      api.dataSource,
      mine({ discount: percent(50), endDateTime: new Date('2020-01-01') }),
    );
    const paid = [participant({ price: pounds(2250), originalPrice: pounds(4000) })];
    expect(await sold(row({ discountCode: used, participants: paid }))).toEqual({
      total: pounds(2250),
      originals: [4000],
      items: [['TICKET', 2250, 0]],
    });
    expect((await sold(row({ discountCode: used, discountAlreadyApplied: true }))).total).toEqual(
      pounds(4500),
    );
    expect((await api.get(`/v0/discount-codes/${id}`)).body.usageCount).toBe(2);
    const open = await code({ discount: percent(50) });
    const before = row({ discountCode: open, participants: paid, discountAlreadyApplied: false });
    expect((await sold(before)).total).toEqual(pounds(1125));
  });

  it('fails the row if it is not applicable, with the reason', async () => {
    const { row } = await sale();
    const other = await sale();
    const restricted: [object, string][] = [
      [{ eventOccurrenceIds: [other.ticket.eventOccurrenceId] }, 'is not valid for this event occurrence'],
      [{ ticketIds: [other.ticket.id] }, 'is not valid for any ticket'],
      [{ startDateTime: new Date('2099-01-01') }, 'is valid from 2099-01-01'],
      [{ endDateTime: new Date('2020-01-01') }, 'was valid until 2020-01-01'],
      [{ discount: flat(100, 'EUR') }, 'is in EUR, but the booking is in GBP'],
    ];
    const rows: object[] = [];
    for (const [given] of restricted) rows.push(row({ discountCode: await code(given) }));
    const job = await post(rows);
    expect(errorsOf(job)).toEqual(restricted.map((_, i) => [i, 'DISCOUNT_CODE_NOT_APPLICABLE']));
    for (const [i, [, reason]] of restricted.entries()) expect(job.errors.at(i).message).toContain(reason);
    const inTime = row({
      bookedAt: '2019-12-31T23:59:59Z',
      discountCode: await code({ endDateTime: new Date('2020-01-01') }),
    });
    expect((await sold(inTime)).total).toEqual(pounds(3825));
  });

  it('is counted as one in all its spellings', async () => {
    const { row } = await sale();
    const given = await code({ code: `ÉTÉ${++serial}`, limitUsage: 1 });
    const rows = ['NFC', 'NFD'].map((form) => row({ discountCode: given.toLowerCase().normalize(form) }));
    expect(errorsOf(await post(rows))).toEqual([[1, 'DISCOUNT_LIMIT_REACHED']]);
  });

  it('is valid from its start, and no longer at its end', async () => {
    const { row } = await sale();
    const discount = await code({
      startDateTime: new Date('2020-01-01'),
      endDateTime: new Date('2020-02-01'),
    });
    const times = ['2019-12-31T23:59:59.999999Z', '2020-01-01T00:00:00Z', '2020-01-31T23:59:59.999999Z'];
    const rows = [...times, '2020-02-01T00:00:00Z'].map((bookedAt) =>
      row({ bookedAt, discountCode: discount }),
    );
    expect(errorsOf(await post(rows))).toEqual([
      [0, 'DISCOUNT_CODE_NOT_APPLICABLE'],
      [3, 'DISCOUNT_CODE_NOT_APPLICABLE'],
    ]);
  });
});

describe('the price of an imported entry', () => {
  it('keeps the price of the ticket as originalTicketPrice', async () => {
    const { row, participant } = await sale();
    const participants = [participant({ price: pounds(3000) })];
    expect(await sold(row({ participants }))).toMatchObject({ total: pounds(3000), originals: [4500] });
  });

  it('is charged and counted once per unit of a team ticket', async () => {
    const { row, participant, ticket: relay } = await sale({ unitSize: 4 });
    const teams = ['A', 'A', 'B', 'A', 'A', 'A'].map((name) => participant({ team: { name } }));
    expect(await sold(row({ participants: teams }))).toMatchObject({
      total: pounds(3 * 4500),
      items: [
        ['TICKET', 4500, 0],
        ['TICKET', 4500, 2],
        ['TICKET', 4500, 5],
      ],
    });
    const race = (await api.get(`/v0/races/${relay.raceId}`)).body;
    const { usedCapacity } = (await api.get(`/v0/tickets/${relay.id}`)).body;
    expect([usedCapacity, race.usedCapacity]).toEqual([3, 6]);
    const job = await post([
      row({ participants: [participant({ price: pounds(9000) }), participant({ price: pounds(1) })] }),
    ]);
    expect(errorsOf(job)).toEqual([[0, 'INVALID_PRICE']]);
  });

  it('of a relay is reduced by a flat rate for each entry, and by a percentage once', async () => {
    const { row, participant, ticket: relay } = await sale({ unitSize: 3, priceValue: '9000' });
    const participants = [1, 2, 3].map(() => participant());
    const of = async (given: object) => {
      const discount = await discountCode(api.dataSource, mine({ appliesPer: 'ENTRY', ...given }));
      const { total, items } = await sold(row({ discountCode: discount.code, participants }));
      const { body } = await api.get(`/v0/discount-codes/${discount.id}`);
      return [total.value, body.usageCount, items.filter(([type]) => type === 'DISCOUNT')];
    };
    expect(await of({ discount: flat(1000) })).toEqual([
      6000,
      3,
      [
        ['DISCOUNT', -1000, 0],
        ['DISCOUNT', -1000, 1],
        ['DISCOUNT', -1000, 2],
      ],
    ]);
    expect(await of({ discount: flat(1000), limitUsagePerTransaction: 2 })).toEqual([
      7000,
      2,
      expect.anything(),
    ]);
    expect(await of({ discount: flat(4000), ticketIds: [relay.id] })).toEqual([
      0,
      3,
      [
        ['DISCOUNT', -4000, 0],
        ['DISCOUNT', -4000, 1],
        ['DISCOUNT', -1000, 2],
      ],
    ]);
    expect(await of({ discount: percent(10) })).toEqual([8100, 3, [['DISCOUNT', -900, 0]]]);
    expect(await of({ discount: percent(10), limitUsagePerTransaction: 1 })).toEqual([
      8100,
      1,
      expect.anything(),
    ]);
  });

  it('is not null: absent, it is the price of the ticket', async () => {
    const { row, participant } = await sale();
    for (const name of ['price', 'originalPrice'])
      for (const method of ['POST', 'PUT'] as const) {
        const bookings = [row({ participants: [participant({ [name]: null })] })];
        const { status, body } = await api.send(method, '/v0/bookings/import', { bookings });
        expect([status, body.message]).toEqual([
          400,
          `bookings[0].participants[0].${name} must be an object`,
        ]);
      }
  });

  it('is 0 for ZERO, everywhere', async () => {
    const { row, participant } = await sale();
    const free = { value: 5, currencyCode: 'ZERO' };
    const bookingId = newId();
    const wrong: [string, object, string][] = [
      ['bookings', { bookings: [row({ participants: [participant({ price: free })] })] }, 'price.value'],
      [
        'bookings',
        { bookings: [row({ participants: [participant({ originalPrice: free })] })] },
        'originalPrice.value',
      ],
      [
        'credits',
        { credits: [{ externalCreditId: 'c', email: 'a@b.example', amount: free }] },
        'amount.value',
      ],
      [
        'bookings/line-items',
        {
          lineItems: [{ externalLineItemId: 'l', bookingId, itemType: 'CREDIT', name: 'C', amount: free }],
        },
        'amount.value',
      ],
      [
        'add-ons',
        {
          addOns: [
            {
              externalAllocationId: 'a',
              participantId: newId(),
              addOnId: newId(),
              quantity: 1,
              unitPrice: free,
            },
          ],
        },
        'unitPrice.value',
      ],
      ['discount-codes', { discountCodes: [{ code: 'Z', discount: flat(5, 'ZERO') }] }, 'price.value'],
    ];
    for (const [path, body, field] of wrong) {
      const { status, body: answer } = await api.send('POST', `/v0/${path}/import`, body);
      expect([status, answer.message]).toEqual([400, expect.stringContaining(`${field} must be 0`)]);
    }
  });
});

describe('the total of a booking', () => {
  it('excludes add-ons that are unpaid, refunded or cancelled', async () => {
    const of = await booking(api.dataSource, mine({ totalValue: '0' }));
    const { id: addOnId } = await addOn(api.dataSource, mine({ eventId: of.eventId }));
    const allocation = (more: object) => ({
      externalAllocationId: `extra-${++serial}`,
      participantId: of.entries[0]?.participantId,
      addOnId,
      quantity: 1,
      unitPrice: pounds(1500),
      ...more,
    });
    const total = async () => (await api.get(`/v0/bookings/${of.id}`)).body.total.value;
    const paid = allocation({});
    await importRows(api, 'add-ons/import', {
      addOns: [
        paid,
        allocation({ financialStatus: 'UNPAID' }),
        allocation({ financialStatus: 'REFUNDED' }),
        allocation({ operationalStatus: 'CANCELLED' }),
      ],
    });
    expect(await total()).toBe(1500);
    await importRows(
      api,
      'add-ons/import',
      { addOns: [{ ...paid, financialStatus: 'REFUNDED' }] },
      { method: 'PUT' },
    );
    expect(await total()).toBe(0);
  });
});
