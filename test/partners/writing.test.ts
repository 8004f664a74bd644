import { Like } from 'typeorm';
import { event, key, organization, partner } from '#libs/testing';
import { isId, newId, Partner, PartnerExternalId } from '#platform/database';
import { PARTNER_TYPES } from '#platform/validation';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
let eventId: string;
beforeAll(async () => {
  api = await sharedApi();
  ({ id: eventId } = await event(api.dataSource, { organizationId: api.organizationId }));
});
afterAll(() => api.close());

const contact = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };
const minimal = { name: 'Harbour Hospice', contacts: [contact] };

const make = (given: Partial<Parameters<typeof partner>[1]> = {}) =>
  partner(api.dataSource, { organizationId: api.organizationId, ...given });
const create = (body: unknown, token?: string) => api.send('POST', '/v0/partners', body, token);
const update = (id: string, body: unknown, token?: string) =>
  api.send('PATCH', `/v0/partners/${id}`, body, token);
const read = async (id: string) => (await api.get(`/v0/partners/${id}`)).body;
const count = () => api.dataSource.getRepository(Partner).countBy({ organizationId: api.organizationId });

/** Values that are invalid in both bodies. */
const BAD_FIELDS: [string, unknown, string][] = [
  ['name', '', 'name'],
  ['name', ' starts with a space', 'name'],
  ['name', 'A', 'name'],
  ['name', 'two\nlines', 'name'],
  ['name', 5, 'name'],
  ['name', null, 'name'],
  ['name', 'NUL\0', 'name'],
  ['description', 5, 'description'],
  ['externalIds', null, 'externalIds'],
  ['externalIds', [], 'externalIds'],
  ['externalIds', 'ENTHUSE', 'externalIds'],
  ['externalIds', { FACEBOOK: 'x' }, 'externalIds.FACEBOOK'],
  ['externalIds', { ENTHUSE: ' ' }, 'externalIds.ENTHUSE'],
  ['externalIds', { ENTHUSE: 5 }, 'externalIds.ENTHUSE'],
  ['externalIds', { ENTHUSE: 'x'.repeat(256) }, 'externalIds.ENTHUSE'],
  ['defaultMarketing', {}, 'defaultMarketing.optInText'],
  ['defaultMarketing', 'text', 'defaultMarketing'],
  ['defaultMarketing', { optInText: 'a', url: 'ftp://example.com' }, 'defaultMarketing.url'],
  ['defaultMarketing', { optInText: 'a', colour: 'red' }, 'defaultMarketing.colour'],
  ['specificMarketings', null, 'specificMarketings'],
  ['specificMarketings', {}, 'specificMarketings'],
  ['specificMarketings', [null], 'specificMarketings'],
  ['specificMarketings', [{ optInText: 'a' }], 'specificMarketings[0].eventId'],
  ['canCreateSubPartners', 'yes', 'canCreateSubPartners'],
  ['canCreateSubPartners', null, 'canCreateSubPartners'],
  ['id', newId(), 'id'],
  ['createdAt', '2026-01-01T00:00:00Z', 'createdAt'],
];

describe('POST /v0/partners', () => {
  describe('creates', () => {
    it('a partner with every property', async () => {
      const whole = {
        ...minimal,
        description: 'Cares for people at home',
        type: 'CORPORATE',
        externalIds: { ENTHUSE: 'create-1', SALESFORCE: 'create-1' },
        contacts: [{ ...contact, phone: '+44 1', role: 'Lead' }, contact],
        defaultMarketing: {
          optInText: 'Yes',
          url: 'https://example.com/a',
          logoUrl: 'https://example.com/b.png',
        },
        specificMarketings: [{ eventId, optInText: 'Here too' }],
        canCreateSubPartners: true,
      };
      const { status, body } = await create(whole);
      expect(status).toBe(200);
      expect(body).toMatchObject(whole);
      expect(await read(body.id)).toEqual(body);
    });

    it('a partner with name and contacts only', async () => {
      const { status, body } = await create(minimal);
      expect(status).toBe(200);
      expect(body).toMatchObject({ ...minimal, description: null, type: null, externalIds: {} });
      expect(body).toMatchObject({
        defaultMarketing: null,
        specificMarketings: [],
        canCreateSubPartners: false,
      });
    });

    it.each(PARTNER_TYPES)('of type %s', async (type) => {
      expect((await create({ ...minimal, type })).body.type).toBe(type);
    });

    it('a partner with null for optional properties', async () => {
      const { status, body } = await create({
        ...minimal,
        description: null,
        type: null,
        defaultMarketing: null,
        contacts: [{ ...contact, phone: null }],
      });
      expect(status).toBe(200);
      expect(body.contacts).toEqual([contact]);
    });

    it('the same external id for another type, and in another organization', async () => {
      const { id: organizationId } = await organization(api.dataSource);
      const { token } = await key(api.dataSource, { organizationId });
      expect((await create({ ...minimal, externalIds: { ENTHUSE: 'same' } })).status).toBe(200);
      expect((await create({ ...minimal, externalIds: { RAISELY: 'same' } })).status).toBe(200);
      expect((await create({ ...minimal, externalIds: { ENTHUSE: 'same' } }, token)).status).toBe(200);
    });
  });

  it('accepts the emails that other operations accept, without surrounding white space', async () => {
    const contacts = [' max@intranet ', 'übung@example.com'].map((email) => ({ ...contact, email }));
    const { status, body } = await create({ ...minimal, contacts });
    expect([status, body.contacts.map(({ email }: { email: string }) => email)]).toEqual([
      200,
      ['max@intranet', 'übung@example.com'],
    ]);
  });

  describe('rejects invalid input', () => {
    it.each([
      ...BAD_FIELDS,
      ['name', undefined, 'name'],
      ['contacts', undefined, 'contacts'],
      ['contacts', [], 'contacts'],
      ['contacts', contact, 'contacts'],
      ['contacts', [contact, { ...contact, email: 'nobody' }], 'contacts[1].email'],
      ['contacts', [{ ...contact, email: 'a b@c.example' }], 'contacts[0].email must be an email address'],
      ['contacts', [{ ...contact, lastName: ' ' }], 'contacts[0].lastName'],
      ['contacts', [{ ...contact, fax: '1' }], 'contacts[0].fax'],
      ['contacts', ['grace@example.com'], 'contacts'],
      ['type', 'CHARITABLE', 'type'],
    ])('%s: %j', async (field, value, named) => {
      const before = await count();
      const { status, body } = await create({ ...minimal, [field]: value });
      expect(status).toBe(400);
      expect(body.message).toContain(named);
      expect(await count()).toBe(before);
    });

    it.each(['', '[]', 'null', '"name"', '{'])('a body that is not an object: %j', async (body) => {
      expect((await create(body)).status).toBe(400);
    });

    it('events that are unknown, of other organizations, or duplicate', async () => {
      const { id: organizationId } = await organization(api.dataSource);
      const theirs = await event(api.dataSource, { organizationId });
      const ofEvents = (...ids: string[]) => ids.map((id) => ({ eventId: id, optInText: 'Yes' }));
      for (const bad of [theirs.id, newId(), 'malformed', eventId.toUpperCase()]) {
        const { status, body } = await create({ ...minimal, specificMarketings: ofEvents(eventId, bad) });
        expect(status).toBe(400);
        expect(body.message).toContain('specificMarketings[1].eventId');
        if (isId(bad)) expect(body.message).toContain(bad);
      }
      const { status, body } = await create({ ...minimal, specificMarketings: ofEvents(eventId, eventId) });
      expect([status, body.message]).toEqual([400, 'specificMarketings must not contain an event twice']);
    });

    it('an external id that is taken, naming it and writing nothing', async () => {
      await make({ externalIds: { FUNRAISIN: 'taken-1' } });
      const before = await count();
      const { status, body } = await create({
        ...minimal,
        externalIds: { ENTHUSE: 'free-1', FUNRAISIN: 'taken-1' },
      });
      expect(status).toBe(400);
      expect(body.message).toContain('externalIds.FUNRAISIN');
      expect(body.message).toContain('taken-1');
      expect(await count()).toBe(before);
      expect(await api.dataSource.getRepository(PartnerExternalId).countBy({ externalId: 'free-1' })).toBe(0);
    });
  });

  describe('is safe with', () => {
    it('concurrent requests for one external id: one succeeds, and nothing is half written', async () => {
      const before = await count();
      const racers = Array.from({ length: 8 }, (_, i) =>
        create({ ...minimal, externalIds: { RAISELY: `mine-${i}`, RUNSIGNUP: 'the-one' } }),
      );
      const statuses = (await Promise.all(racers)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, ...Array(7).fill(400)]);
      expect(await count()).toBe(before + 1);
      expect(
        await api.dataSource.getRepository(PartnerExternalId).countBy({ externalId: Like('mine-%') }),
      ).toBe(1);
    });
  });
});

describe('PATCH /v0/partners/{id}', () => {
  describe('changes', () => {
    it('the given properties only', async () => {
      const { id } = await make({ description: 'Before', externalIds: { ENTHUSE: 'patch-1' } });
      const before = await read(id);
      const { status, body } = await update(id, { name: 'After', canCreateSubPartners: true });
      expect(status).toBe(200);
      expect(body).toEqual({
        ...before,
        name: 'After',
        canCreateSubPartners: true,
        updatedAt: expect.any(String),
      });
      expect(body.updatedAt > before.updatedAt).toBe(true);
      expect(await read(id)).toEqual(body);
    });

    it('marketing as a whole, and removes it with null', async () => {
      const { id } = await make({
        description: 'Before',
        defaultMarketing: { optInText: 'Before', url: 'https://example.com/' },
        specificMarketings: [{ eventId, optInText: 'Before' }],
      });
      const { body: replaced } = await update(id, {
        defaultMarketing: { optInText: 'After' },
        specificMarketings: [],
      });
      expect(replaced).toMatchObject({ description: 'Before', specificMarketings: [] });
      expect(replaced.defaultMarketing).toEqual({ optInText: 'After' });
      const { body: cleared } = await update(id, { description: null, defaultMarketing: null });
      expect(cleared).toMatchObject({ description: null, defaultMarketing: null });
    });

    it('external ids by type, and removes one with null', async () => {
      const { id } = await make({ externalIds: { ENTHUSE: 'e-2', RAISELY: 'r-2', SALESFORCE: 's-2' } });
      const before = await read(id);
      const { body } = await update(id, {
        externalIds: { RAISELY: 'r-3', SALESFORCE: null, GIVENGAIN: 'g-2' },
      });
      expect(body.externalIds).toEqual({ ENTHUSE: 'e-2', GIVENGAIN: 'g-2', RAISELY: 'r-3' });
      expect(body.updatedAt > before.updatedAt).toBe(true);
      expect((await create({ ...minimal, externalIds: { SALESFORCE: 's-2', RAISELY: 'r-2' } })).status).toBe(
        200,
      );
    });

    it.each([
      {},
      { name: 'Same' },
      { externalIds: {} },
      { externalIds: { JUSTGIVING: 'same-4', RAISELY: null } },
    ])('nothing, not even updatedAt, if nothing differs: %j', async (body) => {
      const made =
        (await api.get('/v0/partners/same-4?externalId=JUSTGIVING')).body?.id ??
        (await make({ name: 'Same', externalIds: { JUSTGIVING: 'same-4' } })).id;
      const before = await read(made);
      const answer = await update(made, body);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(before);
    });

    it('a partner named by an external id, which may change in the same request', async () => {
      const { id } = await make({ externalIds: { RACE_ROSTER: 'named by/5' } });
      const { status, body } = await update(`${encodeURIComponent('named by/5')}?externalId=RACE_ROSTER`, {
        externalIds: { RACE_ROSTER: 'renamed-5' },
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({ id, externalIds: { RACE_ROSTER: 'renamed-5' } });
      expect((await update('named by?externalId=RACE_ROSTER', {})).status).toBe(404);
    });
  });

  describe('rejects invalid input', () => {
    it.each([...BAD_FIELDS, ['contacts', [contact], 'contacts'], ['type', 'CHARITY', 'type']])(
      '%s: %j',
      async (field, value, named) => {
        const { id } = await make();
        const before = await read(id);
        const { status, body } = await update(id, { [field]: value });
        expect(status).toBe(400);
        expect(body.message).toContain(named);
        expect(await read(id)).toEqual(before);
      },
    );

    it('an external id that is taken, and changes nothing', async () => {
      await make({ externalIds: { ENTHUSE: 'taken-6' } });
      const { id } = await make({ externalIds: { RAISELY: 'mine-6' } });
      const before = await read(id);
      const { status, body } = await update(id, {
        name: 'Not this',
        externalIds: { RAISELY: null, ENTHUSE: 'taken-6' },
      });
      expect(status).toBe(400);
      expect(body.message).toContain('externalIds.ENTHUSE');
      expect(await read(id)).toEqual(before);
    });

    it('events of other organizations', async () => {
      const { id } = await make();
      const { status, body } = await update(id, {
        specificMarketings: [{ eventId: newId(), optInText: 'Yes' }],
      });
      expect(status).toBe(400);
      expect(body.message).toContain('specificMarketings[0].eventId');
    });
  });

  describe('returns 404 for', () => {
    it.each(['malformed', newId()])('%s', async (id) => {
      expect((await update(id, { name: 'Nobody' })).status).toBe(404);
      expect((await update(`${id}?externalId=ENTHUSE`, { name: 'Nobody' })).status).toBe(404);
    });
  });

  describe('is safe with', () => {
    it('two partners that exchange external ids concurrently', async () => {
      for (let round = 0; round < 5; round++) {
        const [left, right] = [`left-${round}`, `right-${round}`];
        const first = await make({ externalIds: { ENTHUSE: left } });
        const second = await make({ externalIds: { ENTHUSE: right } });
        const answers = await Promise.all([
          update(first.id, { externalIds: { ENTHUSE: right } }),
          update(second.id, { externalIds: { ENTHUSE: left } }),
        ]);
        for (const { status } of answers) expect(status).toBe(400);
      }
    });

    it('many concurrent changes of one partner, each applied as a whole', async () => {
      const { id } = await make();
      const changes = Array.from({ length: 8 }, (_, i) => ({
        description: `change ${i}`,
        externalIds: { RACE_ROSTER: `change ${i}` },
      }));
      const answers = await Promise.all(changes.map((change) => update(id, change)));
      for (const { status } of answers) expect(status).toBe(200);
      const { description, externalIds } = await read(id);
      expect(externalIds).toEqual({ RACE_ROSTER: description });
    });
  });
});

describe('the bytes of a partner', () => {
  const marketings = async (count: number) => {
    const events = await Promise.all(
      Array.from({ length: count }, () => event(api.dataSource, { organizationId: api.organizationId })),
    );
    return events.map(({ id }) => ({ eventId: id, optInText: '東'.repeat(1_000) }));
  };

  it('are limited, so that a page of 500 stays under 24 MB', async () => {
    const specificMarketings = await marketings(14);
    const refused = await create({ ...minimal, specificMarketings });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(
      /^partner would have \d+ bytes of JSON, and must not have more than 40000$/,
    );
    const { body } = await create({ ...minimal, specificMarketings: specificMarketings.slice(0, 12) });
    expect(body.specificMarketings).toHaveLength(12);
    expect((await update(body.id, { specificMarketings })).status).toBe(400);
    expect(await read(body.id)).toEqual(body);
    const wide = {
      ENTHUSE: '東'.repeat(255),
      JUSTGIVING: '東'.repeat(255),
      SALESFORCE: '東'.repeat(255),
      RAISELY: '東'.repeat(255),
    };
    expect((await update(body.id, { externalIds: wide })).body.message).toMatch(/^externalIds would have/);
  });

  it('of one that is larger already stay readable, and do not grow', async () => {
    const contacts = Array.from({ length: 100 }, () => ({
      ...contact,
      firstName: 'x'.repeat(255),
      lastName: 'x'.repeat(255),
    }));
    const { id } = await make({ contacts });
    expect((await read(id)).contacts).toHaveLength(100);
    expect((await update(id, { description: 'longer' })).status).toBe(400);
    expect((await update(id, { canCreateSubPartners: true })).status).toBe(200);
  });
});
