import { key, organization, partner } from '#libs/testing';
import { newId } from '#platform/database';
import { eventually, sharedApi, type TestApi } from '../harness';
import { type Browser, signedIn } from './console';

let api: TestApi;
let owner: Browser;
beforeAll(async () => {
  api = await sharedApi();
  owner = (await signedIn(api, 'OWNER')).browser;
});
afterAll(() => api.close());

it('creates a key that works, shows its token once, and revokes it', async () => {
  const created = await owner.ask('POST', '/console/v1/keys', { name: 'website', kind: 'ORGANIZER' });
  expect(created.status).toBe(200);
  const { token, key: made } = created.body;
  expect((await api.get('/identity', token)).status).toBe(200);
  const listed = await owner.ask('GET', '/console/v1/keys');
  expect(listed.text).not.toContain(token);
  expect(listed.body.data[0]).toEqual({ ...made, lastUsedAt: expect.any(String) });
  await owner.ask('POST', `/console/v1/keys/${made.id}/revoke`);
  await eventually(async () => (await api.get('/identity', token)).status === 401);
  const log = await owner.ask('GET', `/console/v1/audit-log?objectId=${made.id}`);
  expect(log.body.data.map(({ action }: { action: string }) => action)).toEqual(['key.revoke', 'key.create']);
  expect(log.body.data[0].actorName).toMatch(/@example\.com$/);
});

it.each([
  ['2999-05-01T12:00:00.5 02:00', '2999-05-01T10:00:00.500000Z'],
  ['2999-05-01 12:00:00', '2999-05-01T12:00:00.000000Z'],
])('reads the expiry %j as other times', async (expiresAt, expected) => {
  const asked = { name: 'timed', kind: 'ORGANIZER', expiresAt };
  const { key: made } = (await owner.ask('POST', '/console/v1/keys', asked)).body;
  expect(made.expiresAt).toBe(expected);
  const path = `/console/v1/keys/${made.id}/rotate`;
  const { body } = await owner.ask('POST', path, { overlapHours: 0, expiresAt });
  expect(body.key.expiresAt).toBe(expected);
});

it('rotates and restricts keys', async () => {
  const asked = { name: 'checks', kind: 'ORGANIZER', endpoints: ['registrationStatus'] };
  const { key: made } = (await owner.ask('POST', '/console/v1/keys', asked)).body;
  const rotated = await owner.ask('POST', `/console/v1/keys/${made.id}/rotate`, { overlapHours: 1 });
  expect(rotated.body.key).toMatchObject({ name: 'checks', endpoints: ['registrationStatus'] });
  const freed = await owner.ask('PATCH', `/console/v1/keys/${made.id}`, { endpoints: null });
  expect([freed.status, freed.body.message]).toEqual([
    400,
    'A restricted key must keep at least one restriction.',
  ]);
});

it('creates keys of partners, with permissions that they can have', async () => {
  const { id: partnerId } = await partner(api.dataSource, { organizationId: api.organizationId });
  const asked = { name: 'charity', kind: 'ORGANIZER', partnerId };
  const { token, key: made } = (await owner.ask('POST', '/console/v1/keys', asked)).body;
  expect(made).toMatchObject({ partnerId, permissions: null });
  expect((await api.get('/identity', token)).body.partnerId).toBe(partnerId);
  const { id: organizationId } = await organization(api.dataSource);
  const { id: ofOthers } = await partner(api.dataSource, { organizationId });
  for (const wrong of [{ partnerId: ofOthers }, { permissions: ['webhooks:write'] }, { kind: 'TIMING' }])
    expect((await owner.ask('POST', '/console/v1/keys', { ...asked, ...wrong })).status).toBe(400);
});

it('is told that a timing key that reads nothing has nothing to keep', async () => {
  const made = await owner.ask('POST', '/console/v1/keys', { name: 'Mats', kind: 'TIMING' });
  const { status, body } = await owner.ask('PATCH', `/console/v1/keys/${made.body.key.id}`, {
    reads: ['names'],
  });
  expect([status, body.message]).toEqual([
    400,
    '"names" is not what this key reads, and a key reads no more later. There are none.',
  ]);
});

it('lists keys up to a number of bytes, however long their restrictions are, and counts all', async () => {
  const { id: organizationId } = await organization(api.dataSource);
  const { browser } = await signedIn(api, 'OWNER', undefined, organizationId);
  const made = 60;
  const eventOccurrenceIds = Array.from({ length: 1_000 }, () => newId());
  for (let n = 0; n < made; n++) await key(api.dataSource, { organizationId, eventOccurrenceIds });
  const { text, body } = await browser.ask('GET', '/console/v1/keys');
  expect(body.count).toBe(made);
  expect(body.data.length).toBeGreaterThan(20);
  expect(body.data.length).toBeLessThan(made);
  expect(text.length).toBeLessThan(1_000_000);
  expect(body.data.map(({ id }) => id)).toEqual(
    body.data
      .map(({ id }) => id)
      .sort()
      .reverse(),
  );
});

it('returns 404 for keys and members of another organization', async () => {
  const { id: organizationId } = await organization(api.dataSource);
  const { id } = await key(api.dataSource, { organizationId });
  const stranger = await signedIn(api, 'OWNER', undefined, organizationId);
  expect((await owner.ask('POST', `/console/v1/keys/${id}/revoke`)).status).toBe(404);
  expect((await owner.ask('PATCH', `/console/v1/keys/${id}`, { endpoints: null })).status).toBe(404);
  expect((await owner.ask('DELETE', `/console/v1/staff/${stranger.memberId}`)).status).toBe(404);
  const { body } = await owner.ask('GET', '/console/v1/audit-log?action=staff&page[size]=500');
  expect(body.data.some(({ objectId }: { objectId: string }) => objectId === stranger.memberId)).toBe(false);
});
