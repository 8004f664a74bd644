import { addOn, addOnVariant, occurrence } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });

describe('GET /v0/event-occurrences/{id}/add-ons', () => {
  it('returns the add-ons of the occurrence and of its event, with their variants', async () => {
    const { id, eventId } = await occurrence(api.dataSource, mine({}));
    const other = await occurrence(api.dataSource, mine({ eventId }));
    const shirt = await addOn(api.dataSource, mine({ eventId, title: 'Shirt' }));
    const medium = await addOnVariant(api.dataSource, mine({ addOnId: shirt.id, title: 'M' }));
    const photo = await addOn(api.dataSource, mine({ eventId, eventOccurrenceId: id, title: 'Photo' }));
    await addOn(api.dataSource, mine({ eventId, eventOccurrenceId: other.id }));
    const { body } = await api.get(`/v0/event-occurrences/${id}/add-ons`);
    const price = { value: 1500, currencyCode: 'GBP' };
    expect(body.data).toEqual([
      { id: shirt.id, title: 'Shirt', price, variants: [{ id: medium.id, title: 'M' }] },
      { id: photo.id, title: 'Photo', price, variants: [] },
    ]);
  });
});
