import { key, occurrence, organization, race } from '#libs/testing';
import { EventOccurrence, Organization, Race } from '#platform/database';
import { startApi, type TestApi } from '../harness';

let api: TestApi;
let token: string;
let organizationId: string;

beforeAll(async () => {
  api = await startApi();
  ({ id: organizationId } = await organization(api.home, { name: 'Sommets Sauvages' }));
  ({ token } = await key(api.home, { organizationId, kind: 'MARKETPLACE' }));

  const event = async (title: string, given: object = {}, races: string[] = []) => {
    const { id } = await occurrence(api.home, {
      organizationId,
      title,
      startDate: '2030-05-04',
      ...given,
    });
    for (const [position, of] of races.entries()) {
      await race(api.home, { organizationId, eventOccurrenceId: id, position, title: of });
    }
  };
  await event('Grand Raid des Pyrénées', { address: { city: 'vielle-Aure', countryCode: 'FR' } }, [
    'Ultra Tour 160',
    'Tour de Moudang',
  ]);
  await event('UTMB®', { address: { city: 'Chamonix', countryCode: 'FR' } }, ['UTMB®', 'CCC®']);
  await event('Tour of Malvern', { address: { city: 'Great Malvern', countryCode: 'GB' }, tags: ['road'] });
  await event('Malvern Marathon', { startDate: '2031-05-04', address: { countryCode: 'GB' } }, ['Marathon']);
  await event('Autumn Trail', { tags: ['malvern'], address: { city: 'Worcester', countryCode: 'GB' } });
  await event('Московский марафон', { address: { city: 'Москва' } });
  await event('A long time ago', { startDate: '2019-05-04' }, ['Relic Relay']);
  await event('Secret Malvern', { published: false });
  await event('Straßenlauf Ærø', { address: { city: "L'Étape–sur–Mer" } });
});
afterAll(() => api.close());

const search = (query: string, rest = '') =>
  api.get(`/marketplace/v1/events/search?query=${encodeURIComponent(query)}${rest}`, token);
const found = async (query: string, rest = ''): Promise<string[]> =>
  (await search(query, rest)).body.events.map(({ title }: { title: string }) => title);

describe('GET /marketplace/v1/events/search', () => {
  describe('returns', () => {
    it.each([
      ['a title', 'malvern marathon', 'Malvern Marathon'],
      ['words in another order', 'marathon malvern', 'Malvern Marathon'],
      ['prefixes of words', 'malv mara', 'Malvern Marathon'],
      ['a city, its hyphen and capitals aside', 'vielle aure', 'Grand Raid des Pyrénées'],
      ['title and race together, without accents', 'pyrenees ultra tour', 'Grand Raid des Pyrénées'],
      ['accents that the title does not have', 'Märàthôn Malvérn', 'Malvern Marathon'],
      ['transposed letters', 'utbm', 'UTMB®'],
      ['a missing letter', 'chamnix', 'UTMB®'],
      ['an extra letter', 'chamonixx', 'UTMB®'],
      ['a wrong letter', 'chamonax', 'UTMB®'],
      ['a wrong last letter', 'pyrenees grant', 'Grand Raid des Pyrénées'],
      ['a wrong first letter of a long word', 'byrenees', 'Grand Raid des Pyrénées'],
      ['two errors in a long word', 'pirenes', 'Grand Raid des Pyrénées'],
      ['without trade marks', 'ccc', 'UTMB®'],
      ['organizer and title', 'sauvages autumn', 'Autumn Trail'],
      ['other scripts', 'москва', 'Московский марафон'],
      ['ligatures and special letters', 'strassenlauf aero', 'Straßenlauf Ærø'],
      ['words after an apostrophe or a dash', 'etape mer', 'Straßenlauf Ærø'],
    ])('%s: %s', async (_, query, title) => {
      expect((await found(query))[0]).toBe(title);
    });

    it('only events that contain every word', async () => {
      expect(await found('malvern chamonix')).toEqual([]);
      expect(await found('xylophone')).toEqual([]);
    });

    it('the best match first: title, then city and races, then tags', async () => {
      const all = await found('malvern');
      expect(all).toHaveLength(3);
      expect(all[2]).toBe('Autumn Trail');
      expect((await found('tour'))[0]).toBe('Tour of Malvern');
    });

    it('exact words before prefixes, and prefixes before mistyped words', async () => {
      for (const title of ['Kestrel', 'Kestrels', 'Kestral']) {
        await occurrence(api.home, { organizationId, title, startDate: '2030-05-04' });
      }
      expect(await found('kestrel')).toEqual(['Kestrel', 'Kestrels', 'Kestral']);
    });

    it('corrections among a bounded number of words', async () => {
      // Each has the letter and the length of others, as no language has so many.
      const letters = (n: number) =>
        n
          .toString(20)
          .padStart(4, '0')
          .replace(/./g, (digit) => 'abcdefghijklmnopqrst'[Number.parseInt(digit, 20)] as string);
      const words = Array.from({ length: 1_500 }, (_, n) => `qz${letters(n)}`);
      for (const at of [0, 500, 1_000]) {
        const titleByLocale = { 'en-GB': words.slice(at, at + 500).join(' ') };
        await occurrence(api.home, {
          organizationId,
          title: 'Quiet',
          titleByLocale,
          startDate: '2030-05-04',
        });
      }
      const [{ kept }] = await api.home.query(
        `SELECT count(*)::int AS kept FROM search_vocabulary WHERE word LIKE 'q_____'`,
      );
      expect(kept).toBe(1_000);
    });

    it('no corrections of digits', async () => {
      expect(await found('ultra tour 160')).toEqual(['Grand Raid des Pyrénées']);
      expect(await found('ultra tour 161')).toEqual([]);
    });

    it('past events only with date filters', async () => {
      expect(await found('relic')).toEqual([]);
      expect(await found('relic', '&startDate[gte]=2012-01-01')).toEqual(['A long time ago']);
      expect(await found('relic', '&startDate[lte]=2020-01-01')).toEqual(['A long time ago']);
      expect(await found('malvern', '&startDate[gte]=2031-01-01')).toEqual(['Malvern Marathon']);
      expect(await found('malvern', '&startDate[lte]=2030-12-31')).toHaveLength(2);
    });

    it('events of a country, and of a discipline', async () => {
      expect(await found('tour', '&locationCountryCode=GB')).toEqual(['Tour of Malvern']);
      expect(await found('tour', '&locationCountryCode=fr')).toEqual(['Grand Raid des Pyrénées']);
      expect(await found('malvern', '&discipline=RUNNING')).toEqual(['Malvern Marathon']);
      expect(await found('malvern', '&discipline=ROWING')).toEqual([]);
    });

    it('links to the checkout of the given country', async () => {
      const [event] = (await search('utmb', '&countryCode=FR')).body.events;
      expect(event.checkoutUrl).toMatch(/\/fr\/[^/]+\/e\//);
    });

    it('events by the titles of events and races in every locale', async () => {
      const { id: organizationId } = await organization(api.home);
      const { eventOccurrenceId } = await race(api.home, {
        organizationId,
        titleByLocale: { 'de-DE': 'Schnabelwalzer' },
      });
      await api.home
        .getRepository(EventOccurrence)
        .update({ organizationId, id: eventOccurrenceId }, { titleByLocale: { 'cy-GB': 'Siaberwoci' } });
      expect(await found('siaberwoci')).toHaveLength(1);
      expect(await found('schnabelwalzer')).toHaveLength(1);
    });

    it('events by new names of races and organizers', async () => {
      const { id } = await organization(api.home, { name: 'Borogove Events' });
      const { id: raceId } = await race(api.home, { organizationId: id, title: 'Jabberwock' });
      expect(await found('borogove jabberwock')).toHaveLength(1);
      await api.home.getRepository(Race).update({ organizationId: id, id: raceId }, { title: 'Toves' });
      await api.home.getRepository(Organization).update({ id }, { name: 'Mimsy Events' });
      expect(await found('borogove')).toEqual([]);
      expect(await found('jabberwock')).toEqual([]);
      expect(await found('mimsy toves')).toHaveLength(1);
    });

    it('pages with each event once while others are added, in both directions and from the middle', async () => {
      const add = (n: number) =>
        occurrence(api.home, { organizationId, title: `Walrus ${n}`, startDate: '2030-05-04' });
      for (let n = 0; n < 23; n += 1) await add(n);
      const whole = await found('walrus', '&pageSize=200');
      expect(whole).toHaveLength(23);
      const first = await search('walrus');
      expect(first.body.events).toHaveLength(20);
      expect(first.body.page.totalResults).toBe(23);

      const walk: string[] = [];
      let cursor = '';
      for (let page = 0; ; page += 1) {
        const { body } = await search('walrus', `&pageSize=7&searchAfter=${cursor}`);
        if (body.events.length === 0) break;
        walk.push(...body.events.map(({ title }: { title: string }) => title));
        cursor = body.page.last;
        await add(100 + page);
      }
      expect(walk.filter((title) => whole.includes(title))).toEqual(whole);
      expect(new Set(walk).size).toBe(walk.length);

      const last = walk.slice(-4, -1);
      expect(await found('walrus', `&pageSize=3&searchBefore=${cursor}`)).toEqual(last);
      const now = await found('walrus', '&pageSize=200');
      expect(await found('walrus', '&pageSize=3&skip=5')).toEqual(now.slice(5, 8));
      expect(await found('walrus', '&skip=10000')).toEqual([]);
    });
  });

  describe('rejects invalid input', () => {
    it.each([
      ['', 'query'],
      ['query=', 'query'],
      ['query=%20%20', 'query'],
      [`query=${'x'.repeat(1001)}`, 'query'],
      ['query=run&pageSize=0', 'pageSize'],
      ['query=run&pageSize=201', 'pageSize'],
      ['query=run&skip=-1', 'skip'],
      ['query=run&skip=10001', 'skip'],
      ['query=run&discipline=CHESS', 'discipline'],
      ['query=run&locationCountryCode=England', 'locationCountryCode'],
      ['query=run&countryCode=xx', 'countryCode'],
      ['query=run&startDate[gte]=today', 'startDate[gte]'],
      ['query=run&searchAfter=abc', 'searchAfter'],
      ['query=run&lastModified[gte]=2026-01-01T00:00:00Z', 'lastModified[gte]'],
      ['query=a&query=b', 'query'],
      ['query=%00', 'query'],
    ])('%s', async (query, named) => {
      const { status, body } = await api.get(`/marketplace/v1/events/search?${query}`, token);
      expect(status).toBe(400);
      expect(body.message).toContain(named);
    });

    it('a cursor of another search', async () => {
      const { last } = (await search('malvern')).body.page;
      expect((await search('malvern', `&searchAfter=${last}`)).status).toBe(200);
      expect((await search('tour', `&searchAfter=${last}`)).status).toBe(400);
    });
  });

  describe('is safe with', () => {
    it.each([
      "malvern'; DROP TABLE event_occurrences; --",
      "malvern' OR '1'='1",
      'malvern & marathon | !tour <-> (:* \\',
      '!malvern',
      '%_%',
      '\\',
      "'",
      '(((',
      '🏃',
      '$1 $2',
      'a b c d e f g h i j k l m n o p q r s t u v w x y z',
      Array.from({ length: 160 }, (_, n) => `mara${n}`)
        .join(' ')
        .slice(0, 1000),
      'marathon '.repeat(111),
      'é'.repeat(1000),
    ])('%s as search text', async (query) => {
      const { status, body } = await search(query);
      expect(status).toBe(200);
      // On Citus, the database has events of other files, too.
      expect(body.events).toHaveLength(Math.min(body.page.totalResults, 20));
    });

    it('query syntax, which is plain text', async () => {
      expect((await found('!malvern')).sort()).toEqual((await found('malvern')).sort());
      expect(await found('malvern | chamonix')).toEqual([]);
      expect(await found('malvern & (marathon)')).toEqual(['Malvern Marathon']);
      expect(await found('🏃')).toEqual([]);
    });
  });
});
