import { booking, lineItem, organization } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

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

  describe('returns 404 for', () => {
    it.each([newId(), 'import'])('booking %s', async (id) => {
      expect((await api.get(`/v0/bookings/${id}/line-items`)).status).toBe(404);
    });

    it('a booking of another organization', async () => {
      const { id: organizationId } = await organization(api.dataSource);
      const { id: bookingId } = await booking(api.dataSource, { organizationId });
      await lineItem(api.dataSource, { organizationId, bookingId });
      expect((await api.get(`/v0/bookings/${bookingId}/line-items`)).status).toBe(404);
    });
  });
});
