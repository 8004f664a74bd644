import { key, occurrence, organization, race, ticket } from '#libs/testing';
import { EventOccurrence, Organization, Race, Ticket } from '#platform/database';
import { type Answer, type BodyOf, startApi, type TestApi } from '../harness';

let api: TestApi;
let token: string;
let organizationId: string;
/** Each test of this file uses its own years, so that it does not see the events of others. */
const inYear = (year: number) => `startDate[gte]=${year}-01-01&startDate[lte]=${year}-12-31`;

beforeAll(async () => {
  api = await startApi({
    CHECKOUT_URL: 'https://book.example/{countryCode}/e/{slug}',
    CHECKOUT_URL_BY_COUNTRY: 'us=https://us.book.example/e/{slug},FR=https://book.example/fr/{slug}',
  });
  organizationId = api.organizationId;
  ({ token } = await key(api.home, { organizationId, kind: 'MARKETPLACE' }));
});
afterAll(() => api.close());

const today = (timeZone: string, days: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now() + days * 86_400_000);
const list = (query = '') => api.get(`/marketplace/v1/events/?${encodeURI(query)}`, token);
const titles = ({ body }: Answer<BodyOf<'GET', '/marketplace/v1/events'>>) =>
  body.events.map(({ title }) => title);

describe('GET /marketplace/v1/events/', () => {
  describe('returns', () => {
    it('published, discoverable occurrences of every organization, by start date', async () => {
      const { id: other } = await organization(api.home);
      const { id: closed } = await organization(api.home, { deletedAt: new Date() });
      const on = (startDate: string | null, given: object) =>
        occurrence(api.home, { organizationId, startDate, ...given });
      await on('2031-03-03', { title: 'third' });
      await on('2031-01-01', { title: 'first', organizationId: other });
      await on('2031-02-02', { title: 'second' });
      await on('2031-02-02', { title: 'a draft', published: false });
      await on('2031-02-02', { title: 'a hidden one', discoverable: false });
      await on('2031-02-02', { title: 'a postponed one', calledOff: 'POSTPONED' });
      await on('2031-02-02', { title: 'a cancelled one', calledOff: 'CANCELLED' });
      await on(null, { title: 'one without a date' });
      await on('2031-02-02', { title: "a closed organization's", organizationId: closed });

      const answer = await list(inYear(2031));
      expect(answer.status).toBe(200);
      expect(titles(answer)).toEqual(['first', 'second', 'third']);
      expect(answer.body.page.totalResults).toBe(3);
      expect(Object.keys(answer.body.page).sort()).toEqual(['first', 'last', 'totalResults']);
    });

    it('all properties of an event', async () => {
      const organizer = await organization(api.home, {
        name: 'City Runs',
        website: 'https://city-runs.example/',
        logoUrl: 'https://city-runs.example/logo.png',
      });
      const { id, slug } = await occurrence(api.home, {
        organizationId: organizer.id,
        title: 'Stadtlauf',
        titleByLocale: { 'de-DE': 'Stadtlauf', 'en-GB': 'City Run' },
        startDate: '2032-05-04',
        tags: ['road', 'flat'],
        content: { excerpt: '<p>Fast.</p>' },
        latitude: 48.2,
        longitude: 16.37,
        address: { city: 'Wien', countryCode: 'AT' },
        heroUrl: 'https://i.example/hero.jpg',
        logoUrl: 'https://i.example/logo.png',
        imageUrls: ['https://i.example/hero.jpg', 'https://i.example/1.jpg', 'https://i.example/logo.png'],
      });
      const half = await race(api.home, {
        organizationId: organizer.id,
        eventOccurrenceId: id,
        position: 1,
        title: 'Half marathon',
        distanceValue: '21.10',
        startDate: '2032-05-04',
        startTime: '09:30:00',
      });
      const bare = await race(api.home, {
        organizationId: organizer.id,
        eventOccurrenceId: id,
        position: 0,
        title: 'Bambini',
        discipline: null,
        distanceValue: null,
        distanceUnit: null,
        startDate: null,
        startTime: null,
      });
      const priced = (priceValue: string, given: Partial<Ticket> = {}) =>
        ticket(api.home, {
          organizationId: organizer.id,
          raceId: half.id,
          currencyCode: 'EUR',
          priceValue,
          ...given,
        });
      await priced('4500');
      await priced('2500');
      await priced('6000');
      await priced('100', { deletedAt: new Date() });

      const { body } = await list(inYear(2032));
      const priceRange = {
        min: { value: 2500, currencyCode: 'EUR' },
        max: { value: 6000, currencyCode: 'EUR' },
      };
      expect(body.events).toEqual([
        {
          id,
          checkoutUrl: `https://book.example/gb/e/${slug}`,
          title: 'Stadtlauf',
          titleByLocale: { 'de-DE': 'Stadtlauf', 'en-GB': 'City Run' },
          tags: ['road', 'flat'],
          content: { excerpt: '<p>Fast.</p>' },
          startDate: '2032-05-04',
          location: {
            coordinates: { latitude: 48.2, longitude: 16.37 },
            address: { city: 'Wien', countryCode: 'AT' },
          },
          images: {
            hero: 'https://i.example/hero.jpg',
            logo: 'https://i.example/logo.png',
            all: ['https://i.example/1.jpg'],
          },
          races: [
            {
              id: bare.id,
              title: 'Bambini',
              titleByLocale: { 'en-GB': 'Bambini' },
              distance: {},
              priceRange: {},
            },
            {
              id: half.id,
              title: 'Half marathon',
              titleByLocale: { 'en-GB': 'Half marathon' },
              discipline: 'RUNNING',
              distance: { value: 21.1, unit: 'KM' },
              startDate: '2032-05-04',
              startTime: '09:30:00',
              priceRange,
            },
          ],
          organizer: {
            id: organizer.id,
            title: 'City Runs',
            images: { logoUrl: 'https://city-runs.example/logo.png' },
            website: 'https://city-runs.example/',
          },
          priceRange,
        },
      ]);
    });

    it('an event without optional properties that are unknown', async () => {
      const { id: bareOrganization } = await organization(api.home, { name: 'Bare' });
      await occurrence(api.home, { organizationId: bareOrganization, startDate: '2033-05-04' });
      const { body } = await list(inYear(2033));
      expect(body.events[0]).toMatchObject({
        content: {},
        location: { address: {} },
        images: { all: [] },
        races: [],
        priceRange: {},
      });
      expect(body.events[0].location).not.toHaveProperty('coordinates');
      expect(body.events[0].organizer).toEqual({ id: bareOrganization, title: 'Bare', images: {} });
    });

    it('localized titles that always contain the default title', async () => {
      const on = (title: string, titleByLocale: Record<string, string>) =>
        occurrence(api.home, { organizationId, startDate: '2034-05-04', title, titleByLocale });
      await on('Plain', {});
      await on('Lauf', { 'de-DE': 'Lauf' });
      await on('Translated', { 'en-GB': 'Something else' });
      const { body } = await list(inYear(2034));
      for (const { title, titleByLocale } of body.events) {
        expect(Object.values(titleByLocale)).toContain(title);
        expect(titleByLocale).toHaveProperty('en-GB');
      }
      expect(body.events).toHaveLength(3);
    });

    it('events from today on, by the local date of each event', async () => {
      const { id: other } = await organization(api.home, { name: 'Around the world' });
      for (const timeZone of ['Pacific/Kiritimati', 'Etc/GMT+12', 'Europe/London']) {
        for (const [days, day] of [
          [-2, 'day before yesterday'],
          [-1, 'yesterday'],
          [0, 'today'],
          [1, 'tomorrow'],
        ] as const) {
          const given = { organizationId: other, title: `${timeZone} ${day}`, timeZone };
          await occurrence(api.home, { ...given, startDate: today(timeZone, days) });
        }
      }
      const isOurs = ({ organizer }: { organizer: { title: string } }) =>
        organizer.title === 'Around the world';
      const upcoming = [
        'Etc/GMT+12 today',
        'Etc/GMT+12 tomorrow',
        'Europe/London today',
        'Europe/London tomorrow',
        'Pacific/Kiritimati today',
        'Pacific/Kiritimati tomorrow',
      ];
      const found = (await list('pageSize=200')).body.events.filter(isOurs);
      expect(found.map(({ title }: { title: string }) => title).sort()).toEqual(upcoming);

      // An end in the future does not restrict the start; one in the past does.
      const soon = (await list(`pageSize=200&startDate[lte]=${today('UTC', 5)}`)).body.events.filter(isOurs);
      expect(soon.map(({ title }: { title: string }) => title).sort()).toEqual(upcoming);
      const past = (await list(`pageSize=200&startDate[lte]=${today('UTC', -2)}`)).body.events;
      expect(past.filter(isOurs).length).toBeGreaterThan(0);
      const all = (await list(`pageSize=200&startDate[gte]=2012-01-01&startDate[lte]=${today('UTC', 5)}`))
        .body;
      expect(all.events.filter(isOurs)).toHaveLength(12);
    });

    it('events of several days until the day of their last race, in their time zone', async () => {
      const { id: other } = await organization(api.home, { name: 'Stage races' });
      const add = async (title: string, timeZone: string, lastDay: number) => {
        const startDate = today(timeZone, -20);
        const of = { organizationId: other };
        const { id } = await occurrence(api.home, { ...of, title, timeZone, startDate });
        for (const day of [-20, lastDay, -10])
          await race(api.home, { ...of, eventOccurrenceId: id, startDate: today(timeZone, day) });
        return id;
      };
      const zones = ['Etc/GMT+12', 'Pacific/Kiritimati'];
      for (const timeZone of zones) {
        await add(`Stages ${timeZone} today`, timeZone, 0);
        await add(`Stages ${timeZone} yesterday`, timeZone, -1);
      }
      const id = await add('Stages over', 'Europe/London', -3);
      const shown = async () => {
        const ours = ({ organizer }: { organizer: { title: string } }) => organizer.title === 'Stage races';
        const listed = (await list('pageSize=200')).body.events.filter(ours);
        const found = await api.get('/marketplace/v1/events/search?query=stages&pageSize=200', token);
        const sorted = (events: { title: string }[]) => events.map(({ title }) => title).sort();
        expect(sorted(found.body.events.filter(ours))).toEqual(sorted(listed));
        return sorted(listed);
      };
      const running = zones.map((timeZone) => `Stages ${timeZone} today`);
      expect(await shown()).toEqual(running);

      // A race that is put off brings it back, as a change of the event.
      const since = new Date(Date.now() - 1).toISOString();
      const races = api.home.getRepository(Race);
      const [last] = await races.findBy({ eventOccurrenceId: id, startDate: today('Europe/London', -3) });
      await races.update({ organizationId: other, id: last?.id }, { startDate: today('Europe/London', 1) });
      expect(await shown()).toEqual([...running, 'Stages over']);
      expect(titles(await list(`startDate[gte]=2012-01-01&lastModified[gte]=${since}`))).toEqual([
        'Stages over',
      ]);
      await races.delete({ organizationId: other, id: last?.id });
      expect(await shown()).toEqual(running);
    });

    it('events between the given dates, both inclusive', async () => {
      for (const startDate of ['2035-01-01', '2035-01-02', '2035-01-03', '2035-01-04']) {
        await occurrence(api.home, { organizationId, title: startDate, startDate });
      }
      expect(titles(await list('startDate[gte]=2035-01-02&startDate[lte]=2035-01-03'))).toEqual([
        '2035-01-02',
        '2035-01-03',
      ]);
    });

    it('changes between the given instants, both inclusive, including changes of races and tickets', async () => {
      const { id } = await occurrence(api.home, { organizationId, startDate: '2036-05-04' });
      const { id: ticketId } = await ticket(api.home, { organizationId, eventOccurrenceId: id });
      const changedAt = async () => {
        const [row] = await api.home.query(
          `SELECT to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
           FROM event_occurrences WHERE id = $1`,
          [id],
        );
        return row.at as string;
      };
      const found = async (filter: string) =>
        (await list(`${inYear(2036)}&${filter}`)).body.page.totalResults;
      const before = await changedAt();
      expect(await found(`lastModified[gte]=${before}&lastModified[lte]=${before}`)).toBe(1);
      await api.home.getRepository(Ticket).update({ organizationId, id: ticketId }, { title: 'Other' });
      const after = await changedAt();
      expect(after > before).toBe(true);
      expect(await found(`lastModified[lte]=${before}`)).toBe(0);
      expect(await found(`lastModified[gte]=${after}`)).toBe(1);
      // A nanosecond later is later.
      expect(await found(`lastModified[gte]=${after.replace('Z', '001Z')}`)).toBe(0);
      expect(await found(`lastModified[lte]=${after.replace('Z', '001Z')}`)).toBe(1);
    });

    it('pages of ten by default, each event once in both directions while others are added', async () => {
      const add = (n: number, startDate: string) =>
        occurrence(api.home, { organizationId, title: `${n}`, startDate });
      // Several on one day: ids determine their order.
      for (let n = 0; n < 12; n += 1)
        await add(n, `2037-01-${String(1 + Math.floor(n / 5)).padStart(2, '0')}`);
      const whole = titles(await list(`${inYear(2037)}&pageSize=200`));
      expect(whole).toHaveLength(12);
      expect(titles(await list(inYear(2037)))).toEqual(whole.slice(0, 10));

      const walk: string[][] = [];
      let cursor = '';
      for (;;) {
        const page = await list(`${inYear(2037)}&pageSize=5&cursor[after]=${cursor}`);
        if (page.body.events.length === 0) break;
        walk.push(titles(page));
        cursor = page.body.page.last;
        await add(100 + walk.length, '2037-01-01');
      }
      expect(walk.flat().filter((title) => Number(title) < 100)).toEqual(whole);

      const last = await list(`${inYear(2037)}&pageSize=4&cursor[before]=${cursor}`);
      expect(titles(last)).toEqual(whole.slice(-5, -1));
    });

    it('the checkout of each country, in any case, with a slug in any script', async () => {
      const slug = 'søndre-løp-москва';
      await occurrence(api.home, { organizationId, slug, startDate: '2038-05-04' });
      const link = async (country: string) =>
        (await list(`${inYear(2038)}${country}`)).body.events[0].checkoutUrl;
      const encoded = encodeURIComponent(slug);
      expect(await link('')).toBe(`https://book.example/gb/e/${encoded}`);
      expect(await link('&countryCode=gb')).toBe(`https://book.example/gb/e/${encoded}`);
      expect(await link('&countryCode=US')).toBe(`https://us.book.example/e/${encoded}`);
      expect(await link('&countryCode=fr')).toBe(`https://book.example/fr/${encoded}`);
      expect(await link('&countryCode=De')).toBe(`https://book.example/de/e/${encoded}`);
    });

    it('events in a country, in any case', async () => {
      for (const countryCode of ['PT', 'SE'])
        await occurrence(api.home, { organizationId, startDate: '2039-05-04', address: { countryCode } });
      for (const [country, codes] of [
        ['pt', ['PT']],
        ['SE', ['SE']],
        ['fr', []],
      ] as const) {
        const { body } = await list(`${inYear(2039)}&locationCountryCode=${country}`);
        expect(body.events.map(({ location }: any) => location.address.countryCode)).toEqual(codes);
        expect(body.page.totalResults).toBe(codes.length);
      }
    });

    it('the same without the trailing slash', async () => {
      const { status, body } = await api.get('/marketplace/v1/events', token);
      expect(status).toBe(200);
      const slashed = (await list()).body;
      // A cursor carries the second at which the total was counted, so those of two requests may differ.
      expect({ ...body, page: body.page.totalResults }).toEqual({
        ...slashed,
        page: slashed.page.totalResults,
      });
    });

    it('an empty page with empty cursors', async () => {
      const { body } = await list(inYear(1990));
      expect(body).toEqual({ events: [], page: { totalResults: 0, first: '', last: '' } });
    });
  });

  describe('rejects invalid input', () => {
    it.each([
      ['pageSize=0', 'pageSize'],
      ['pageSize=201', 'pageSize'],
      ['pageSize=ten', 'pageSize'],
      ['page[size]=5', 'page[size]'],
      ['startDate[gte]=2026-02-30', 'startDate[gte]'],
      ['startDate[lte]=tomorrow', 'startDate[lte]'],
      ['lastModified[gte]=2026', 'lastModified[gte]'],
      ['countryCode=uk', 'countryCode'],
      ['countryCode=gbr', 'countryCode'],
      ['countryCode=', 'countryCode'],
      ['cursor[after]=x', 'cursor[after]'],
      ['cursor[after]=x&cursor[before]=y', 'cursor[after] and cursor[before]'],
    ])('%s', async (query, named) => {
      const { status, body } = await list(query);
      expect(status).toBe(400);
      expect(body.message).toContain(named);
    });

    it('a cursor of the same list with other filters, and a cursor of the search', async () => {
      await occurrence(api.home, { organizationId, startDate: '2039-05-04', title: 'Findable' });
      const { last } = (await list(inYear(2039))).body.page;
      expect((await list(`cursor[after]=${last}`)).status).toBe(400);
      const found = await api.get('/marketplace/v1/events/search?query=findable', token);
      expect((await list(`cursor[after]=${found.body.page.last}`)).status).toBe(400);
    });
  });

  describe('rejects other organizations', () => {
    it.each(['/marketplace/v1/events/', '/marketplace/v1/events/search?query=run'])('%s', async (path) => {
      expect((await api.get(path, null)).status).toBe(401);
      for (const kind of ['ORGANIZER', 'TIMING'] as const) {
        const other = await key(api.home, { organizationId, kind });
        const { status, body } = await api.get(path, other.token);
        expect(status).toBe(403);
        expect(body.message).toContain('MARKETPLACE');
      }
    });
  });

  describe('is safe with', () => {
    it('a time zone that the database does not know, which cannot be stored', async () => {
      const repository = api.home.getRepository(EventOccurrence);
      const { id } = await occurrence(api.home, { organizationId });
      await expect(repository.update({ organizationId, id }, { timeZone: 'Mars/Olympus' })).rejects.toThrow(
        /time zone/,
      );
    });

    it('a new name of an organizer, and of a race', async () => {
      const { id: other } = await organization(api.home, { name: 'Old name' });
      const { id } = await occurrence(api.home, { organizationId: other, startDate: '2040-05-04' });
      const { id: raceId } = await race(api.home, { organizationId: other, eventOccurrenceId: id });
      await api.home.getRepository(Organization).update({ id: other }, { name: 'New name' });
      await api.home.getRepository(Race).update({ organizationId: other, id: raceId }, { title: 'Dash' });
      const [event] = (await list(inYear(2040))).body.events;
      expect(event.organizer.title).toBe('New name');
      expect(event.races[0].title).toBe('Dash');
    });
  });
});
