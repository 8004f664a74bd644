import { booking, lineItem } from '#libs/testing';
import { newId } from '#platform/database';
import { eventually, sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

describe('GET /v0/line-items', () => {
  it('follows changes, and has those of a booking, an occurrence and a type', async () => {
    const { organizationId } = api;
    const of = await booking(api.dataSource, { organizationId });
    const other = await booking(api.dataSource, { organizationId });
    const made = (bookingId: string, itemType: 'TICKET' | 'REFUND') =>
      lineItem(api.dataSource, { organizationId, bookingId, itemType });
    const [sold, refund, apart] = [
      await made(of.id, 'TICKET'),
      await made(of.id, 'REFUND'),
      await made(other.id, 'REFUND'),
    ];
    const listed = async (query: string) =>
      (await api.get(`/v0/line-items?${query}`)).body.data as { id: string; updatedAt: string }[];
    const ids = async (query: string) => (await listed(query)).map(({ id }) => id);
    // The list ends at the watermark.
    await eventually(async () => (await ids('')).includes(apart.id));
    expect(await ids(`bookingId=${of.id}`)).toEqual([sold.id, refund.id]);
    expect(await ids(`eventOccurrenceId=${of.eventOccurrenceId}`)).toEqual([sold.id, refund.id]);
    expect(await ids('itemType=REFUND')).toEqual([refund.id, apart.id]);
    const last = (await listed('')).at(-1)?.updatedAt;
    await api.dataSource.query(`UPDATE line_items SET name = 'Late entry' WHERE id = $1`, [sold.id]);
    const changed = await eventually(async () => {
      const found = await listed(`updatedAt[after]=${last}`);
      return found.length > 0 && found;
    });
    expect(changed).toMatchObject([{ id: sold.id, bookingId: of.id, name: 'Late entry' }]);
  });
});

describe('GET /v0/bookings/{id}/line-items', () => {
  describe('returns', () => {
    it('the line items of a booking in order of creation', async () => {
      const { organizationId } = api;
      const { id: bookingId, entries } = await booking(api.dataSource, { organizationId });
      const itemId = newId();
      const participantId = entries[0]?.participantId ?? null;
      const ticket = await lineItem(api.dataSource, { organizationId, bookingId, itemId, participantId });
      const refund = await lineItem(api.dataSource, {
        organizationId,
        bookingId,
        itemType: 'REFUND',
        name: 'Refund',
        amountValue: '-1500',
        itemSelectionId: 'size-m',
        externalLineItemId: null,
      });
      await lineItem(api.dataSource, {
        organizationId,
        bookingId: (await booking(api.dataSource, { organizationId })).id,
      });
      const { status, body } = await api.get(`/v0/bookings/${bookingId}/line-items`);
      const common = { bookingId, createdAt: expect.any(String), updatedAt: expect.any(String) };
      expect(status).toBe(200);
      expect(body.data).toEqual([
        {
          id: ticket.id,
          amount: { value: 4500, currencyCode: 'GBP' },
          itemType: 'TICKET',
          name: ticket.name,
          itemId,
          itemSelectionId: null,
          participantId,
          externalLineItemId: ticket.externalLineItemId,
          ...common,
        },
        {
          id: refund.id,
          amount: { value: -1500, currencyCode: 'GBP' },
          itemType: 'REFUND',
          name: 'Refund',
          itemId: null,
          itemSelectionId: 'size-m',
          participantId: null,
          externalLineItemId: null,
          ...common,
        },
      ]);
      expect(body.page).toMatchObject({ totalResults: 2, prev: '', next: '' });
    });

    it('an empty list if the booking has none', async () => {
      const { id } = await booking(api.dataSource, { organizationId: api.organizationId });
      const { status, body } = await api.get(`/v0/bookings/${id}/line-items`);
      expect(status).toBe(200);
      expect(body.data).toEqual([]);
    });
  });
});
