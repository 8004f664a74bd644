import { sharedApi, type TestApi } from '../harness';
import { type Browser, signedIn } from './console';

let api: TestApi;
let owner: Browser;
let manager: Browser;
beforeAll(async () => {
  api = await sharedApi();
  owner = (await signedIn(api, 'OWNER')).browser;
  manager = (await signedIn(api, 'MANAGER')).browser;
});
afterAll(() => api.close());

const PATH = '/console/v1/file-mappings';
const mapping = {
  columns: { Vorname: 'participants[0].firstName', Remarks: null },
  values: { eventOccurrenceId: '01990f3e-0000-7000-8000-000000000001' },
  matches: { ticketId: { 'Marathon früh': '01990f3e-0000-7000-8000-000000000002' } },
};
const saved = (given: object = {}) => ({ surface: 'bookingsImport', name: 'website', mapping, ...given });

it('are shared by the staff, found by the columns of a file, and replaced by name', async () => {
  const { status, body: first } = await owner.ask('POST', PATH, saved());
  expect(status).toBe(200);
  expect(first).toMatchObject({
    name: 'website',
    mapping,
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
  });

  const { body: same } = await manager.ask('POST', PATH, saved({ name: 'shop ' }));
  expect(same.fingerprint).toBe(first.fingerprint);
  const changed = { columns: { Name: null } };
  const { body: replaced } = await manager.ask('POST', PATH, saved({ mapping: changed }));
  expect(replaced).toMatchObject({ id: first.id, mapping: changed });
  expect(replaced.fingerprint).not.toBe(first.fingerprint);
  expect(replaced.savedBy).not.toBe(first.savedBy);

  await manager.ask('POST', PATH, saved({ surface: 'creditsImport' }));
  const { body: list } = await owner.ask('GET', `${PATH}?surface=bookingsImport`);
  expect(list.data.map(({ name }: any) => name)).toEqual(['website', 'shop']);
  expect((await owner.ask('GET', `${PATH}/${same.id}`)).body).toEqual(same);

  expect((await manager.ask('DELETE', `${PATH}/${same.id}`)).status).toBe(200);
  expect((await manager.ask('GET', `${PATH}/${same.id}`)).status).toBe(404);
  expect((await manager.ask('DELETE', `${PATH}/${same.id}`)).status).toBe(404);
});

it.each([
  [{ surface: 'nothing' }],
  [{ name: ' ' }],
  [{ mapping: {} }],
  [{ mapping: { columns: { a: 1 } } }],
  [{ mapping: { columns: {}, matches: { ticketId: { a: 1 } } } }],
])('refuses what is no mapping: %j', async (given) => {
  expect((await owner.ask('POST', PATH, saved(given))).status).toBe(400);
});

it('keeps at most 200', async () => {
  await api.dataSource.query(
    `INSERT INTO file_mappings (organization_id, id, surface, name, fingerprint, mapping, member_id)
     SELECT $1, uuid_v7(), 'creditsImport', n, '', '{}', (SELECT id FROM staff_members WHERE organization_id = $1 LIMIT 1)
     FROM generate_series(1, 200) n`,
    [api.organizationId],
  );
  expect((await owner.ask('POST', PATH, saved({ name: 'one more' }))).status).toBe(400);
  expect((await owner.ask('POST', PATH, saved())).status).toBe(200);
});

it('are not for those who only read', async () => {
  const { browser } = await signedIn(api, 'VIEWER');
  expect((await browser.ask('GET', PATH)).status).toBe(403);
});
