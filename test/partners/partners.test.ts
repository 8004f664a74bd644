import { event, key, organization, partner } from '#libs/testing';
import { newId } from '#platform/database';
import { eventually, sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const make = (given: Partial<Parameters<typeof partner>[1]> = {}) =>
  partner(api.dataSource, { organizationId: api.organizationId, ...given });
/** A separate organization, whose list contains nothing else. */
const own = async () => {
  const { id: organizationId } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId });
  return { organizationId, token };
};
const names = ({ body }: { body: { data: { name: string }[] } }) => body.data.map(({ name }) => name);
const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();

describe('GET /v0/partners/{id}', () => {
  describe('returns', () => {
    it('every field', async () => {
      const { organizationId } = api;
      const { id: eventId } = await event(api.dataSource, { organizationId });
      const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', role: 'Lead' }];
      const defaultMarketing = { optInText: 'Tell me more', url: 'https://example.com/' };
      const specificMarketings = [{ eventId, optInText: 'About this event' }];
      const { id } = await make({
        name: 'Harbour Hospice',
        description: 'Cares',
        contacts,
        defaultMarketing,
        specificMarketings,
        canCreateSubPartners: true,
        externalIds: { SALESFORCE: 'S-1', ENTHUSE: 'E-1' },
      });
      const { status, body } = await api.get(`/v0/partners/${id}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        id,
        name: 'Harbour Hospice',
        description: 'Cares',
        type: 'CHARITY',
        externalIds: { ENTHUSE: 'E-1', SALESFORCE: 'S-1' },
        contacts,
        defaultMarketing,
        specificMarketings,
        canCreateSubPartners: true,
        parentPartnerId: null,
        createdAt: expect.stringMatching(/\.\d{6}Z$/),
        updatedAt: expect.stringMatching(/\.\d{6}Z$/),
      });
    });

    it('null or an empty list if there is no value', async () => {
      const { id } = await make({ type: null });
      const { body } = await api.get(`/v0/partners/${id}`);
      expect(body).toMatchObject({
        description: null,
        type: null,
        externalIds: {},
        defaultMarketing: null,
        specificMarketings: [],
        canCreateSubPartners: false,
      });
    });

    it.each(['harbour hospice/1', newId(), 'Zoë & Söhne', '100%'])(
      'a partner by an external id, which is any text: %s',
      async (externalId) => {
        const { id } = await make({ externalIds: { JUSTGIVING: externalId } });
        const path = `/v0/partners/${encodeURIComponent(externalId)}`;
        expect((await api.get(`${path}?externalId=JUSTGIVING`)).body.id).toBe(id);
        expect((await api.get(`${path}?externalId=ENTHUSE`)).status).toBe(404);
        expect((await api.get(path)).status).toBe(404);
      },
    );
  });

  describe('rejects', () => {
    it.each(['malformed', newId(), newId().toUpperCase()])('an unknown partner: %s', async (id) => {
      expect((await api.get(`/v0/partners/${id}`)).status).toBe(404);
    });

    it('unknown external id types', async () => {
      const { status, body } = await api.get('/v0/partners/anything?externalId=FACEBOOK');
      expect(status).toBe(400);
      expect(body.message).toContain('externalId must be one of ENTHUSE');
      expect((await api.get('/v0/partners/anything?externalId=')).status).toBe(400);
      expect((await api.get('/v0/partners/a%00b?externalId=ENTHUSE')).status).toBe(404);
    });

    it('a partner of another organization, by id and external id', async () => {
      const { organizationId } = await own();
      const theirs = await make({ organizationId, externalIds: { ENTHUSE: 'theirs' } });
      expect((await api.get(`/v0/partners/${theirs.id}`)).status).toBe(404);
      expect((await api.get('/v0/partners/theirs?externalId=ENTHUSE')).status).toBe(404);
    });
  });
});

describe('GET /v0/partners', () => {
  describe('returns', () => {
    it('partners in order of creation, and by last change', async () => {
      const { organizationId, token } = await own();
      for (const name of ['First', 'Second', 'Third']) await make({ organizationId, name });
      const list = (parameters = {}) => api.get(`/v0/partners?${query(parameters)}`, token);
      const { body } = await list();
      expect(names({ body })).toEqual(['First', 'Second', 'Third']);
      expect(body.page.totalResults).toBe(3);
      expect(names(await list({ 'sort[createdAt]': '-1' }))).toEqual(['Third', 'Second', 'First']);
      const [{ id }, , { createdAt }] = body.data;
      expect(names(await list({ 'createdAt[before]': createdAt }))).toEqual(['First', 'Second']);

      const { body: changed } = await api.send('PATCH', `/v0/partners/${id}`, { name: 'Changed' }, token);
      // The watermark advances in the background.
      await eventually(async () => names(await list({ 'updatedAt[after]': createdAt })).includes('Changed'));
      expect(names(await list({ 'sort[updatedAt]': '1' }))).toEqual(['Second', 'Third', 'Changed']);
      expect(names(await list({ 'updatedAt[after]': changed.updatedAt }))).toEqual([]);
    });

    it.each([
      ['hospice', ['Harbour HOSPICE', 'hospice of st. Ann']],
      ['HARBOUR', ['Harbour HOSPICE']],
      ['straße', ['Straße der Läufer']],
      ['LÄUFER', ['Straße der Läufer']],
      ['der laufer', ['Straße der Läufer']],
      ['STRASSE DER LAEU', ['Straße der Läufer']],
      ['łuk', ['Lukasz Łuków']],
      ['lukow', ['Lukasz Łuków']],
      ['müllerova', ['Muellerova']],
      ['100%', ['100% Run']],
      ['%', ['100% Run']],
      ['_', ['snake_case']],
      ['\\', ['back\\slash']],
      ["'", ["O'Neill"]],
      ['nobody', []],
      ['', undefined],
    ])('partners whose name contains %j, literally', async (search, expected) => {
      const { organizationId, token } = await own();
      const all = [
        'Harbour HOSPICE',
        'hospice of st. Ann',
        'Straße der Läufer',
        '100% Run',
        'snake_case',
        'back\\slash',
        "O'Neill",
        'Lukasz Łuków',
        'Muellerova',
      ];
      for (const name of all) await make({ organizationId, name });
      const { status, body } = await api.get(`/v0/partners?${query({ search })}`, token);
      expect(status).toBe(200);
      expect(names({ body })).toEqual(expected ?? all);
      expect(body.page.totalResults).toBe((expected ?? all).length);
    });

    it('a search in pages', async () => {
      const { organizationId, token } = await own();
      for (let i = 0; i < 5; i++) await make({ organizationId, name: i % 2 ? `odd ${i}` : `even ${i}` });
      const first = await api.get(`/v0/partners?${query({ search: 'EVEN', 'page[size]': '2' })}`, token);
      const after = { search: 'EVEN', 'page[size]': '2', 'page[after]': first.body.page.next };
      const second = await api.get(`/v0/partners?${query(after)}`, token);
      expect([...names(first), ...names(second)]).toEqual(['even 0', 'even 2', 'even 4']);
      expect(second.body.page.next).toBe('');
      expect((await api.get(`/v0/partners?${query({ ...after, search: 'odd' })}`, token)).status).toBe(400);
    });
  });

  describe('rejects invalid input', () => {
    it.each([
      ['page[size]=501', 'page[size]'],
      ['sort[updatedAt]=2', 'sort[updatedAt]'],
      ['updatedAt[after]=yesterday', 'updatedAt[after]'],
      ['search=a&search=b', 'search'],
      ['search=a%00', 'search'],
      ['name=a', 'name'],
      ['extendMetadata=true', 'extendMetadata'],
    ])('%s', async (parameters, named) => {
      const { status, body } = await api.get(`/v0/partners?${parameters}`);
      expect(status).toBe(400);
      expect(body.message).toContain(named);
    });
  });

  it('returns no partner of another organization', async () => {
    const { token } = await own();
    await make({ name: 'Ours' });
    expect((await api.get('/v0/partners', token)).body).toMatchObject({
      data: [],
      page: { totalResults: 0 },
    });
  });
});
