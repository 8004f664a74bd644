import { event, key, occurrence, organization, race, ticket } from '#libs/testing';
import { Event, EventOccurrence, newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

/** A separate organization, so that tests do not see each other's occurrences. */
async function newcomer() {
  const { id: organizationId } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId });
  const { id: eventId } = await event(api.dataSource, { organizationId });
  return {
    organizationId,
    token,
    eventId,
    add: (given: Partial<EventOccurrence> = {}) =>
      occurrence(api.dataSource, { organizationId, eventId, ...given }),
    list: async (query = '') => {
      const { status, body } = await api.get(`/v0/event-occurrences?${query}`, token);
      expect(status).toBe(200);
      return body;
    },
  };
}
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

describe('GET /v0/event-occurrences', () => {
  describe('returns', () => {
    it('published and draft, discoverable or not, past and future occurrences by start date, but none without a date', async () => {
      const { add, list } = await newcomer();
      const later = await add({ startDate: '2031-01-02', published: false });
      const past = await add({ startDate: '1999-12-31', discoverable: false });
      const soon = await add({ startDate: '2031-01-01' });
      const postponed = await add({ startDate: '2031-01-03', calledOff: 'POSTPONED' });
      const cancelled = await add({ startDate: '2031-01-04', calledOff: 'CANCELLED', published: false });
      await add({ startDate: null });
      const body = await list();
      expect(idsOf(body)).toEqual([past.id, soon.id, later.id, postponed.id, cancelled.id]);
      expect(body.data.map(({ status }: { status: string }) => status)).toEqual([
        'PUBLISHED',
        'PUBLISHED',
        'DRAFT',
        'POSTPONED',
        'CANCELLED',
      ]);
      expect(body.page).toMatchObject({ totalResults: 5, prev: '', next: '' });
    });

    it('the summary, without organizer, races and checkout link', async () => {
      const { add, list, organizationId } = await newcomer();
      const { id } = await add({
        title: 'Côte d’Azur 10 km',
        titleByLocale: { 'fr-FR': 'Dix kilomètres' },
        tags: ['road'],
        content: { excerpt: '<p>Flat.</p>' },
        startDate: '2030-06-01',
        latitude: 43.7,
        longitude: 7.26,
        address: { city: 'Nice', countryCode: 'FR' },
        heroUrl: 'https://img.example/hero.jpg',
        imageUrls: ['https://img.example/1.jpg'],
      });
      const { id: raceId } = await race(api.dataSource, { organizationId, eventOccurrenceId: id });
      await ticket(api.dataSource, { organizationId, raceId, priceValue: '2500', currencyCode: 'EUR' });
      await ticket(api.dataSource, { organizationId, raceId, priceValue: '4000', currencyCode: 'EUR' });
      await ticket(api.dataSource, {
        organizationId,
        raceId,
        priceValue: '1',
        currencyCode: 'EUR',
        deletedAt: new Date(),
      });
      expect((await list()).data).toEqual([
        {
          id,
          title: 'Côte d’Azur 10 km',
          titleByLocale: { 'en-GB': 'Côte d’Azur 10 km', 'fr-FR': 'Dix kilomètres' },
          tags: ['road'],
          content: { excerpt: '<p>Flat.</p>' },
          startDate: '2030-06-01',
          location: {
            coordinates: { latitude: 43.7, longitude: 7.26 },
            address: { city: 'Nice', countryCode: 'FR' },
          },
          images: { hero: 'https://img.example/hero.jpg', all: ['https://img.example/1.jpg'] },
          priceRange: {
            min: { value: 2500, currencyCode: 'EUR' },
            max: { value: 4000, currencyCode: 'EUR' },
          },
          status: 'PUBLISHED',
        },
      ]);
    });

    it('a range of start dates, both ends included', async () => {
      const { add, list } = await newcomer();
      const days = ['2030-01-01', '2030-01-02', '2030-01-03', '2030-01-04'];
      for (const startDate of days) await add({ startDate });
      const body = await list('startDate[gte]=2030-01-02&startDate[lte]=2030-01-03');
      expect(body.data.map(({ startDate }: { startDate: string }) => startDate)).toEqual(days.slice(1, 3));
      expect(body.page.totalResults).toBe(2);
    });

    it('what was modified, including by a change of a race, a ticket or the event', async () => {
      const { add, list, organizationId, eventId } = await newcomer();
      const [renamed, untouched] = [
        await add({ startDate: '2030-01-01' }),
        await add({ startDate: '2030-01-02' }),
      ];
      const since = async () =>
        (await api.dataSource.query('SELECT clock_timestamp() AS now'))[0].now.toISOString();
      const changedSince = async (moment: string) => idsOf(await list(`lastModified[gte]=${moment}`));

      let moment = await since();
      const { id: raceId } = await race(api.dataSource, { organizationId, eventOccurrenceId: renamed.id });
      expect(await changedSince(moment)).toEqual([renamed.id]);
      moment = await since();
      await ticket(api.dataSource, { organizationId, raceId });
      expect(await changedSince(moment)).toEqual([renamed.id]);
      moment = await since();
      await api.dataSource.query('UPDATE tickets SET title = title');
      expect(await changedSince(moment)).toEqual([]);
      await api.dataSource
        .getRepository(Event)
        .update({ organizationId, id: eventId }, { title: 'New name' });
      expect(await changedSince(moment)).toEqual([renamed.id, untouched.id]);
      expect(idsOf(await list(`lastModified[lte]=${moment}`))).toEqual([]);
    });

    it('pages of 100 by default and of 200 at most, with both parameter names', async () => {
      const { add, list, token } = await newcomer();
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) ids.push((await add({ startDate: '2030-01-01' })).id);
      const first = await list('pageSize=2');
      expect(idsOf(first)).toEqual(ids.slice(0, 2));
      expect(first.page).toMatchObject({ totalResults: 5, prev: '', next: first.page.last });
      const second = await list(`page[size]=2&cursor[after]=${first.page.next}`);
      expect(idsOf(second)).toEqual(ids.slice(2, 4));
      const third = await list(`pageSize=2&page[after]=${second.page.next}`);
      expect(third.page).toMatchObject({ next: '', prev: third.page.first });
      expect(idsOf(await list(`page[size]=2&cursor[before]=${third.page.prev}`))).toEqual(ids.slice(2, 4));
      for (const query of ['page[size]=201', 'pageSize=0', 'pageSize=2&page[size]=2']) {
        expect((await api.get(`/v0/event-occurrences?${query}`, token)).status).toBe(400);
      }
    });
  });

  describe('other organizations', () => {
    it('get none of them, and their cursors are rejected', async () => {
      const [mine, theirs] = [await newcomer(), await newcomer()];
      await mine.add();
      await mine.add();
      await theirs.add();
      const { page } = await mine.list('page[size]=1');
      const { status, body } = await api.get(`/v0/event-occurrences?page[after]=${page.next}`, theirs.token);
      expect(status).toBe(400);
      expect(body.message).toBe(
        'page[after] must be a cursor from this list, with the same filters and sort order',
      );
    });
  });
});

describe('GET /v0/event-occurrences/{id}', () => {
  it('returns races in catalogue order and the checkout link', async () => {
    const { add, organizationId, token } = await newcomer();
    const { id, slug } = await add();
    const second = await race(api.dataSource, { organizationId, eventOccurrenceId: id, position: 2 });
    const first = await race(api.dataSource, { organizationId, eventOccurrenceId: id, position: 1 });
    const { status, body } = await api.get(`/v0/event-occurrences/${id}`, token);
    expect(status).toBe(200);
    expect(body.races.map((summary: { id: string }) => summary.id)).toEqual([first.id, second.id]);
    const [owner] = await api.dataSource.query(
      'SELECT o.slug FROM organizations o JOIN event_occurrences e ON e.organization_id = o.id WHERE e.id = $1',
      [id],
    );
    expect(body.checkoutUrl).toBe(`https://book.startline.example/gb/${owner.slug}/e/${slug}`);
    expect(body).not.toHaveProperty('organizer');
  });

  it('returns its event, its time zone, and whether it is a draft', async () => {
    const { add, token, eventId } = await newcomer();
    const published = await add({ timeZone: 'America/New_York' });
    const draft = await add({ published: false });
    const read = async ({ id }: { id: string }) => (await api.get(`/v0/event-occurrences/${id}`, token)).body;
    expect(await read(published)).toMatchObject({
      eventId,
      timeZone: 'America/New_York',
      status: 'PUBLISHED',
    });
    expect(await read(draft)).toMatchObject({ eventId, status: 'DRAFT' });
  });

  it('returns an occurrence without a start date', async () => {
    const { add, token } = await newcomer();
    const { id } = await add({ startDate: null });
    expect((await api.get(`/v0/event-occurrences/${id}`, token)).body.startDate).toBeNull();
  });

  it.each([
    ['missing', newId()],
    ['malformed', 'not-an-id'],
    ['of another version', 'c0ffee00-0000-4000-8000-000000000000'],
    ['in capitals', newId().toUpperCase()],
  ])('returns 404 for an id that is %s', async (_, id) => {
    const { status, body } = await api.get(`/v0/event-occurrences/${id}`);
    expect(status).toBe(404);
    expect(body).toEqual({ statusCode: 404, error: 'Not Found', message: expect.any(String) });
  });
});
