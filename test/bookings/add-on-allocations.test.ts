import { addOn, addOnAllocation, addOnVariant, booking, lineItem } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

describe('GET /v0/bookings/{id}/add-on-allocations', () => {
  describe('returns', () => {
    it('the add-ons of the participants of a booking', async () => {
      const { organizationId } = api;
      const of = await booking(api.dataSource, { organizationId });
      const shirt = await addOn(api.dataSource, { organizationId, eventId: of.eventId, title: 'T-shirt' });
      const medium = await addOnVariant(api.dataSource, { organizationId, addOnId: shirt.id, title: 'M' });
      const bought = await lineItem(api.dataSource, { organizationId, bookingId: of.id, itemType: 'ADD_ON' });
      const first = await addOnAllocation(api.dataSource, {
        of,
        addOnId: shirt.id,
        variantId: medium.id,
        purchaseLineItemId: bought.id,
        quantity: 2,
        operationalStatus: 'FULFILLED',
        financialStatus: 'UNPAID',
      });
      const second = await addOnAllocation(api.dataSource, { of, externalAllocationId: null });
      const { status, body } = await api.get(`/v0/bookings/${of.id}/add-on-allocations`);
      expect(status).toBe(200);
      expect(body.data).toMatchObject([
        {
          id: first.id,
          externalAllocationId: first.externalAllocationId,
          participantId: of.entries[0]?.participantId,
          purchaseLineItemId: bought.id,
          addOn: { id: shirt.id, title: 'T-shirt' },
          variant: { id: medium.id, title: 'M' },
          quantity: 2,
          operationalStatus: 'FULFILLED',
          financialStatus: 'UNPAID',
        },
        {
          id: second.id,
          externalAllocationId: null,
          purchaseLineItemId: null,
          variant: null,
          quantity: 1,
          operationalStatus: 'ALLOCATED',
          financialStatus: 'PAID',
        },
      ]);
      expect(Object.keys(body.data[0])).toHaveLength(11);
    });
  });
});
