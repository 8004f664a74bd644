import { organization, partner, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { errorsOf, importRows } from './import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const PATH = 'discount-codes/import';
let serial = 0;
const percent = { type: 'PERCENTAGE', amount: 15, isAppliedToBookingFee: false };
const row = (given: object = {}) => ({ code: `EARLY-${++serial}`, discount: percent, ...given });
const post = (discountCodes: object[]) => importRows(api, PATH, { discountCodes });
const read = async (id: string) => (await api.get(`/v0/discount-codes/${id}`)).body;

describe('POST /v0/discount-codes/import', () => {
  it('stores each code, which is returned as it was given', async () => {
    const { organizationId } = api;
    const sold = await ticket(api.dataSource, { organizationId });
    const { id: partnerId } = await partner(api.dataSource, { organizationId });
    const whole = row({
      discount: { type: 'FLAT_RATE', price: { value: 2000, currencyCode: 'GBP' } },
      appliesPer: 'ENTRY',
      limitUsage: 500,
      limitUsagePerTransaction: 4_000,
      group: 'Spring campaign',
      eventOccurrenceIds: [sold.eventOccurrenceId],
      ticketIds: [sold.id],
      partnerId,
      startDateTime: '2026-01-01T00:00:00Z',
      endDateTime: '2026-02-01T00:00:00Z',
    });
    const plain = row();
    const job = await post([whole, plain]);
    expect(job).toMatchObject({ surface: 'discountCodesImport', succeededRows: 2 });
    expect(job.results).toEqual(
      [whole, plain].map(({ code }, i) => ({
        row: i,
        outcome: 'IMPORTED',
        alreadyImported: false,
        code,
        discountCodeId: expect.any(String),
      })),
    );
    const [first, second] = job.results;
    expect(await read(first.discountCodeId)).toMatchObject({
      ...whole,
      id: first.discountCodeId,
      startDateTime: '2026-01-01T00:00:00.000000Z',
      endDateTime: '2026-02-01T00:00:00.000000Z',
      usageCount: 0,
    });
    expect(await read(second.discountCodeId)).toMatchObject({
      code: plain.code,
      discount: percent,
      appliesPer: 'TRANSACTION',
      limitUsage: null,
      limitUsagePerTransaction: null,
      group: null,
    });
  });

  it('reports a code that exists in any case, and changes nothing', async () => {
    const one = row({ group: 'first' });
    const [{ discountCodeId }] = (await post([one])).results;
    const code = one.code.toLowerCase();
    const job = await post([{ ...one, code, group: 'second' }]);
    expect(job.results).toEqual([
      { row: 0, outcome: 'ALREADY_IMPORTED', alreadyImported: true, code, discountCodeId },
    ]);
    expect(await read(discountCodeId)).toMatchObject({ code: one.code, group: 'first' });
  });

  it('accepts a code that was deleted', async () => {
    const one = row();
    const [{ discountCodeId }] = (await post([one])).results;
    await api.dataSource.query('UPDATE discount_codes SET deleted_at = clock_timestamp() WHERE id = $1', [
      discountCodeId,
    ]);
    expect((await post([one])).results).toMatchObject([{ outcome: 'IMPORTED' }]);
  });

  it('fails an invalid row alone, with its code', async () => {
    const { id: strangers } = await organization(api.dataSource);
    const foreign = await ticket(api.dataSource, { organizationId: strangers });
    const own = await ticket(api.dataSource, { organizationId: api.organizationId });
    const { id: foreignPartner } = await partner(api.dataSource, { organizationId: strangers });
    const spoilt: [string, object][] = [
      ['EVENT_OCCURRENCE_NOT_FOUND', row({ eventOccurrenceIds: [own.eventOccurrenceId, newId()] })],
      ['EVENT_OCCURRENCE_NOT_FOUND', row({ eventOccurrenceIds: [foreign.eventOccurrenceId] })],
      ['TICKET_NOT_FOUND', row({ ticketIds: [own.id, newId()] })],
      ['TICKET_NOT_FOUND', row({ ticketIds: [foreign.id] })],
      ['PARTNER_NOT_FOUND', row({ partnerId: newId() })],
      ['PARTNER_NOT_FOUND', row({ partnerId: foreignPartner })],
    ];
    const job = await post([...spoilt.map(([, bad]) => bad), row()]);
    expect(errorsOf(job)).toEqual(spoilt.map(([code], i) => [i, code]));
    expect(job.errors[0].message).toBe(
      'eventOccurrenceIds[1] is not an event occurrence of your organization',
    );
    expect(job.succeededRows).toBe(1);
  });

  it('rejects the whole batch if limitUsagePerTransaction is set without ENTRY', async () => {
    const good = [row(), row(), row({ appliesPer: 'ENTRY', limitUsagePerTransaction: 2 })];
    for (const appliesPer of ['TRANSACTION', undefined]) {
      const bad = row({ appliesPer, limitUsagePerTransaction: 2 });
      const { status, body } = await api.send('POST', `/v0/${PATH}`, { discountCodes: [...good, bad] });
      expect([status, body.message]).toEqual([
        400,
        'discountCodes[3].limitUsagePerTransaction is only valid when appliesPer is ENTRY',
      ]);
    }
    expect((await post(good)).succeededRows).toBe(3);
  });

  it('rejects a malformed batch, naming row and field', async () => {
    const one = row();
    const wrong: [object[], string][] = [
      [[one, { ...one, code: one.code.toLowerCase() }], 'discountCodes[1].code is the same as in'],
      [[row({ code: ' ' })], 'discountCodes[0].code must not be blank'],
      [
        [row({ discount: { ...percent, amount: 0 } })],
        'discountCodes[0].discount.amount must be more than 0',
      ],
      [[row({ discount: { ...percent, amount: 101 } })], 'discountCodes[0].discount.amount must be'],
      [[row({ discount: { type: 'FREE' } })], 'discountCodes[0].discount'],
      [[row({ ticketIds: [] })], 'discountCodes[0].ticketIds must'],
      [[row({ limitUsage: 0 })], 'discountCodes[0].limitUsage must be at least 1'],
      [
        [row({ startDateTime: '2026-02-01T00:00:00Z', endDateTime: '2026-02-01T00:00:00Z' })],
        'discountCodes[0].endDateTime must be later than startDateTime',
      ],
    ];
    for (const [discountCodes, message] of wrong) {
      const { status, body } = await api.send('POST', `/v0/${PATH}`, { discountCodes });
      expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    }
  });
});
