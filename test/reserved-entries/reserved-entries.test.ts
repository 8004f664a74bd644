import { insert, occurrence, ticket } from '#libs/testing';
import { ReservedEntryGroup, ReservedEntryGroupTicket } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

describe('reserved entry groups', () => {
  it('are listed for their occurrence, and across all occurrences of their event', async () => {
    const { organizationId, dataSource } = api;
    const first = await occurrence(dataSource, { organizationId });
    const second = await occurrence(dataSource, { organizationId, eventId: first.eventId });
    const add = (eventOccurrenceId: string, name: string) =>
      insert(dataSource, ReservedEntryGroup, {
        organizationId,
        eventId: first.eventId,
        eventOccurrenceId,
        name,
        code: name.toUpperCase(),
        maxCapacity: 40,
        domainRestriction: name === 'club' ? 'club.example' : null,
      });
    const hospice = await add(first.id, 'hospice');
    const club = await add(second.id, 'club');
    const discounted = await ticket(dataSource, { organizationId, eventOccurrenceId: first.id });
    const plain = await ticket(dataSource, { organizationId, eventOccurrenceId: first.id });
    await dataSource.getRepository(ReservedEntryGroupTicket).insert([
      {
        organizationId,
        reservedEntryGroupId: hospice.id,
        ticketId: discounted.id,
        position: 1,
        maxCapacity: 5,
        startDateTime: new Date('2026-02-03T04:05:06Z'),
        discount: { type: 'PERCENTAGE', amount: 50, isAppliedToBookingFee: false },
      },
      { organizationId, reservedEntryGroupId: hospice.id, ticketId: plain.id, position: 2 },
    ]);

    const ofFirst = await api.get(`/v0/event-occurrences/${first.id}/reserved-entries`);
    expect(ofFirst.body.data).toEqual([
      {
        id: hospice.id,
        name: 'hospice',
        code: 'HOSPICE',
        description: null,
        eventId: first.eventId,
        partnerId: null,
        maxCapacity: 40,
        usedCapacity: 0,
        tickets: [
          {
            ticketSlug: discounted.slug,
            maxCapacity: 5,
            startDateTime: '2026-02-03T04:05:06.000000Z',
            discount: { type: 'PERCENTAGE', amount: 50, isAppliedToBookingFee: false },
          },
          { ticketSlug: plain.slug, discount: null },
        ],
        type: 'MULTI_USE',
        settings: {
          canPartnerCancel: false,
          reserveCapacity: 'RESERVE_CAPACITY',
          reallocateOnCancel: false,
          domainRestriction: null,
          deadline: null,
        },
      },
    ]);
    const ofEvent = await api.get(`/v0/events/${first.eventId}/reserved-entries`);
    expect(ofEvent.body.data.map(({ id }: { id: string }) => id)).toEqual([hospice.id, club.id]);
    expect(ofEvent.body.data[1].settings.domainRestriction).toBe('club.example');
  });
});
