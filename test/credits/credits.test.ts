import { booking, credit, event, key, organization } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { importRows } from '../imports/import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

let serial = 0;
const gbp = (value: number) => ({ value, currencyCode: 'GBP' });
const import_ = async (given: object = {}): Promise<{ id: string; externalCreditId: string }> => {
  const externalCreditId = `credit-${++serial}`;
  const row = { externalCreditId, email: 'Ada@Example.com', amount: gbp(2500), ...given };
  const { results } = await importRows(api, 'credits/import', { credits: [row] });
  return { id: results[0].creditId, externalCreditId };
};
const spend = async (itemId: string, given: object = {}, method = 'POST') => {
  const { id: bookingId } = await booking(api.dataSource, { organizationId: api.organizationId });
  const item = {
    externalLineItemId: `spent-${++serial}`,
    bookingId,
    itemType: 'CREDIT',
    itemId,
    name: 'Credit',
    amount: gbp(-1000),
    ...given,
  };
  const job = await importRows(api, 'bookings/line-items/import', { lineItems: [item] }, { method });
  expect(job.errors).toEqual([]);
  return item;
};
const read = async (id: string) => (await api.get(`/v0/credits/${id}`)).body;
const list = async (query: Record<string, string> = {}) =>
  (await api.get(`/v0/credits?${new URLSearchParams(query)}`)).body;
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

describe('GET /v0/credits/{id}', () => {
  it('returns the imported values, and the whole amount as balance', async () => {
    const { id: eventId } = await event(api.dataSource, { organizationId: api.organizationId });
    const { id, externalCreditId } = await import_({
      eventId,
      reason: 'Cancelled swim',
      expiresAt: '2100-01-02T03:04:05+01:00',
    });
    expect(await read(id)).toEqual({
      id,
      externalCreditId,
      email: 'Ada@Example.com',
      amount: gbp(2500),
      balance: gbp(2500),
      reason: 'Cancelled swim',
      expiresAt: '2100-01-02T02:04:05.000000Z',
      eventId,
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  it('deducts line items that name it by either id, and follows their replacement', async () => {
    const { id, externalCreditId } = await import_();
    const first = await spend(id);
    expect((await read(id)).balance).toEqual(gbp(1500));
    await spend(externalCreditId, { amount: gbp(-300) });
    expect((await read(id)).balance).toEqual(gbp(1200));
    await spend(id, { ...first, amount: gbp(-2200) }, 'PUT');
    expect(await read(id)).toMatchObject({ amount: gbp(2500), balance: gbp(0) });
  });

  it('ignores line items of other credits, currencies and organizations', async () => {
    const { id, externalCreditId } = await import_();
    await spend(id, { itemType: 'DISCOUNT' });
    await spend(externalCreditId.toUpperCase());
    const { id: organizationId } = await organization(api.dataSource);
    await credit(api.dataSource, { organizationId, externalCreditId });
    const { token } = await key(api.dataSource, { organizationId });
    await spend(externalCreditId);
    expect((await read(id)).balance).toEqual(gbp(1500));
    expect((await api.get('/v0/credits', token)).body.data[0].balance).toEqual(gbp(1000));
    const euro = await import_({ amount: { value: 2500, currencyCode: 'EUR' } });
    await spend(euro.id);
    expect((await read(euro.id)).balance).toEqual({ value: 2500, currencyCode: 'EUR' });
  });

  it('restores what a cancelled booking spent', async () => {
    const { id } = await import_();
    const { bookingId } = await spend(id);
    await api.send('DELETE', `/v0/bookings/${bookingId}`, undefined);
    expect((await read(id)).balance).toEqual(gbp(2500));
  });

  it('has balance 0 after its expiry', async () => {
    const { id } = await import_({ expiresAt: '2020-01-01T00:00:00Z' });
    await spend(id);
    expect(await read(id)).toMatchObject({ amount: gbp(2500), balance: gbp(0) });
  });

  it('returns 404 for gift cards, credits of other organizations, and unknown ids', async () => {
    const { organizationId, dataSource } = api;
    const { id: others } = await organization(dataSource);
    const { id: card } = await credit(dataSource, { organizationId, kind: 'GIFT_CARD' });
    const { id: foreign } = await credit(dataSource, { organizationId: others });
    for (const id of [card, foreign, newId(), 'import', 'x'])
      expect((await api.get(`/v0/credits/${id}`)).status).toBe(404);
    expect(idsOf(await list({ 'page[size]': '500' }))).not.toContain(card);
  });
});

describe('GET /v0/credits', () => {
  it('lists by creation time, in pages', async () => {
    const made = [await import_(), await import_(), await import_()].map(({ id }) => id);
    const newest = await list({ 'sort[createdAt]': '-1', 'page[size]': '2' });
    expect(idsOf(newest)).toEqual([made[2], made[1]]);
    const older = await list({
      'sort[createdAt]': '-1',
      'page[size]': '1',
      'page[after]': newest.page.next,
    });
    expect(idsOf(older)).toEqual([made[0]]);
    const { createdAt } = await read(made[1] as string);
    expect(idsOf(await list({ 'createdAt[after]': createdAt }))).toEqual([made[2]]);
  });

  it('filters by email, external id and event', async () => {
    const { id: eventId } = await event(api.dataSource, { organizationId: api.organizationId });
    const { id, externalCreditId } = await import_({ eventId, email: 'Grace@Example.com' });
    expect(idsOf(await list({ email: ' grace@example.COM ' }))).toEqual([id]);
    expect(idsOf(await list({ externalCreditId }))).toEqual([id]);
    expect(idsOf(await list({ eventId }))).toEqual([id]);
    expect(idsOf(await list({ eventId: newId() }))).toEqual([]);
    expect((await api.get('/v0/credits?balance=1')).status).toBe(400);
  });

  it('rejects an organization without the surface, naming it', async () => {
    const { id: organizationId } = await organization(api.dataSource, { surfaces: ['lineItemsImport'] });
    const { token } = await key(api.dataSource, { organizationId });
    const { status, body } = await api.get('/v0/credits', token);
    expect([status, body.message]).toEqual([403, expect.stringContaining('creditsImport')]);
  });
});
