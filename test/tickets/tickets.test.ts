import { booking, event, occurrence, race, ticket } from '#libs/testing';
import { newId, Ticket } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const HOUR = 3_600_000;
const from = (hours: number) => new Date(Date.now() + hours * HOUR);
const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

/** Takes this many places of the ticket, like the trigger of the start list. */
const take = (kind: 'ticketPlaces' | 'racePlaces', subject: string, places: number) =>
  api.dataSource.query(
    'INSERT INTO tallies (organization_id, kind, subject_id, delta) VALUES ($1, $2, $3, $4)',
    [api.organizationId, kind, subject, places],
  );

describe('GET /v0/event-occurrences/{id}/tickets', () => {
  it('returns every ticket that is not deleted, with its current availability', async () => {
    const { id: eventOccurrenceId } = await occurrence(api.dataSource, mine({}));
    const { id: raceId } = await race(api.dataSource, mine({ eventOccurrenceId }));
    const { id: fullRaceId } = await race(api.dataSource, mine({ eventOccurrenceId, maxCapacity: 3 }));
    const add = (given: Partial<Ticket>) => ticket(api.dataSource, mine({ raceId, ...given }));
    const open = await add({});
    const notYet = await add({ saleStart: from(1) });
    const closed = await add({ saleStart: from(-2), saleEnd: from(-1) });
    const soldOut = await add({ maxCapacity: 2 });
    const lastPlace = await add({ maxCapacity: 3 });
    const raceFull = await add({ raceId: fullRaceId });
    await add({ deletedAt: new Date() });
    await take('ticketPlaces', soldOut.id, 2);
    await take('ticketPlaces', lastPlace.id, 2);
    await take('racePlaces', fullRaceId, 3);
    const { body } = await api.get(`/v0/event-occurrences/${eventOccurrenceId}/tickets`);
    expect(body.data.map(({ id, availability }) => [id, availability])).toEqual([
      [open.id, 'AVAILABLE'],
      [notYet.id, 'NOT_YET_ON_SALE'],
      [closed.id, 'CLOSED'],
      [soldOut.id, 'SOLD_OUT'],
      [lastPlace.id, 'AVAILABLE'],
      [raceFull.id, 'SOLD_OUT'],
    ]);
    expect(body.data[0]).toEqual({
      id: open.id,
      title: open.title,
      titleByLocale: { 'en-GB': open.title },
      description: '',
      ticketSlug: open.slug,
      raceId,
      raceTitle: expect.any(String),
      price: { value: 4500, currencyCode: 'GBP' },
      availability: 'AVAILABLE',
      isDeleted: false,
    });
  });
});

describe('GET /v0/events/{id}/tickets', () => {
  it('returns the bookable tickets of the next upcoming occurrence, all at once', async () => {
    const { id: eventId } = await event(api.dataSource, mine({}));
    const add = async (startDate: string, given: object = {}) => {
      const { id: eventOccurrenceId } = await occurrence(
        api.dataSource,
        mine({ eventId, startDate, ...given }),
      );
      return (await race(api.dataSource, mine({ eventOccurrenceId }))).id;
    };
    const past = await add('2001-01-01');
    const draft = await add('2090-01-01', { published: false });
    const cancelled = await add('2090-06-01', { calledOff: 'CANCELLED' });
    const next = await add('2091-01-01');
    const after = await add('2092-01-01');
    for (const raceId of [past, draft, cancelled, after]) await ticket(api.dataSource, mine({ raceId }));
    const bookable: string[] = [];
    for (let i = 0; i < 120; i++) bookable.push((await ticket(api.dataSource, mine({ raceId: next }))).id);
    await ticket(api.dataSource, mine({ raceId: next, saleStart: from(1) }));
    const all = await api.get(`/v0/events/${eventId}/tickets`);
    expect(idsOf(all.body)).toEqual(bookable);
    expect(all.body.page.totalResults).toBe(120);
    const page = await api.get(`/v0/events/${eventId}/tickets?page[size]=7`);
    expect(idsOf(page.body)).toEqual(bookable.slice(0, 7));
  });

  it('returns those of an occurrence of several days until the day of its last race', async () => {
    const { id: eventOccurrenceId, eventId } = await occurrence(
      api.dataSource,
      mine({ startDate: '2001-01-01' }),
    );
    const ofRace = async (startDate: string) => {
      const { id: raceId } = await race(api.dataSource, mine({ eventOccurrenceId, startDate }));
      return (await ticket(api.dataSource, mine({ raceId }))).id;
    };
    const first = await ofRace('2001-01-01');
    expect((await api.get(`/v0/events/${eventId}/tickets`)).body.data).toEqual([]);
    const second = await ofRace('2091-01-01');
    expect(idsOf((await api.get(`/v0/events/${eventId}/tickets`)).body).sort()).toEqual(
      [first, second].sort(),
    );
  });

  it.each(['POSTPONED', 'CANCELLED'] as const)(
    'returns none of an occurrence that is %s',
    async (calledOff) => {
      const { id, eventId } = await occurrence(api.dataSource, mine({ startDate: '2091-01-01', calledOff }));
      const { id: raceId } = await race(api.dataSource, mine({ eventOccurrenceId: id }));
      const closed = await ticket(api.dataSource, mine({ raceId, saleStart: from(1) }));
      const of = await booking(api.dataSource, mine({ ticketId: closed.id }));
      expect((await api.get(`/v0/tickets/${closed.id}`)).body.availability).toBe('CLOSED');
      expect((await api.get(`/v0/event-occurrences/${id}/tickets`)).body.data).toMatchObject([
        { availability: 'CLOSED' },
      ]);
      expect((await api.get(`/v0/events/${eventId}/tickets`)).body.data).toEqual([]);
      expect((await api.get(`/v0/bookings/${of.id}`)).body.status).toBe('CONFIRMED');
    },
  );

  it('returns an empty list if no occurrence is upcoming, and 404 if the event does not exist', async () => {
    const { id: eventId } = await event(api.dataSource, mine({}));
    const { body } = await api.get(`/v0/events/${eventId}/tickets`);
    expect(body).toEqual({ data: [], page: { totalResults: 0, first: '', last: '', prev: '', next: '' } });
    expect((await api.get(`/v0/events/${newId()}/tickets`)).status).toBe(404);
  });
});

describe('GET /v0/races/{id}/tickets', () => {
  it('returns the tickets of the race, in catalogue order', async () => {
    const { id: raceId } = await race(api.dataSource, mine({}));
    const second = await ticket(api.dataSource, mine({ raceId, position: 20 }));
    const first = await ticket(api.dataSource, mine({ raceId, position: 10 }));
    await ticket(api.dataSource, mine({}));
    expect(idsOf((await api.get(`/v0/races/${raceId}/tickets`)).body)).toEqual([first.id, second.id]);
  });
});

describe('GET /v0/tickets/{id}', () => {
  it('returns sale, capacity and approval', async () => {
    const saleStart = new Date('2026-01-02T03:04:05.678Z');
    const made = await ticket(
      api.dataSource,
      mine({ saleStart, maxCapacity: 10, approval: 'BALLOT' as const }),
    );
    await take('ticketPlaces', made.id, 4);
    expect((await api.get(`/v0/tickets/${made.id}`)).body).toMatchObject({
      id: made.id,
      eventOccurrenceId: made.eventOccurrenceId,
      eventId: made.eventId,
      saleStart: '2026-01-02T03:04:05.678000Z',
      saleEnd: null,
      maxCapacity: 10,
      usedCapacity: 4,
      approval: 'BALLOT',
    });
  });

  it('returns a deleted ticket with its deletion', async () => {
    const { id } = await ticket(api.dataSource, mine({ deletedAt: new Date() }));
    expect((await api.get(`/v0/tickets/${id}`)).body).toMatchObject({
      isDeleted: true,
      availability: 'CLOSED',
    });
  });
});
