import { ALL_OPERATIONS, DOCUMENT, type Schema } from '../contract/document';
import { sharedApi, type TestApi } from '../harness';
import { sale } from '../imports/import';
import { type Browser, keysOf, signedIn } from './console';

/** What staff do is done once for each `Idempotency-Key`, where a repetition would do more. */
let api: TestApi;
let owner: Browser;
beforeAll(async () => {
  api = await sharedApi();
  owner = (await signedIn(api, 'OWNER')).browser;
});
afterAll(() => api.close());

/** Sends it twice, and returns both bodies. */
async function twice(method: string, path: string, body?: object): Promise<any[]> {
  const bodies = [];
  for (let i = 0; i < 2; i++) {
    const answer = await owner.ask(method, path, body, { 'idempotency-key': `${method} ${path}` });
    expect([path, answer.status]).toEqual([path, 200]);
    bodies.push(answer.body);
  }
  return bodies;
}

it('keys are issued and rotated once, with the same token', async () => {
  const before = (await keysOf(api)).length;
  const [made, same] = await twice('POST', '/console/v1/keys', { name: 'website', kind: 'ORGANIZER' });
  expect(same.token).toBe(made.token);
  expect(same.key).toEqual(made.key);
  const path = `/console/v1/keys/${made.key.id}`;
  const [rotated, again] = await twice('POST', `${path}/rotate`, { overlapHours: 1 });
  expect([again.token, again.key.id]).toEqual([rotated.token, rotated.key.id]);
  expect((await keysOf(api)).length).toBe(before + 2);
  expect((await api.get('/identity', again.token)).status).toBe(200);
  const [restricted, still] = await twice('PATCH', path, { permissions: ['partners:read'] });
  expect(still).toEqual(restricted);
  const [revoked, known] = await twice('POST', `${path}/revoke`);
  expect(known).toEqual(revoked);
});

it('members are invited and reset once, and each answer has a link', async () => {
  const [invited, same] = await twice('POST', '/console/v1/staff', {
    ...{ email: 'repeated@example.com', role: 'VIEWER' },
  });
  expect(same.member).toEqual(invited.member);
  const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];
  const [partner] = await twice('POST', '/v0/partners', { name: 'Repeated', contacts });
  const members = `/console/v1/partners/${partner.id}/members`;
  const [member, known] = await twice('POST', members, { email: 'member@example.com' });
  expect(known.member).toEqual(member.member);
  const { browser } = await signedIn(api, 'VIEWER');
  const redeem = async ({ link }: { link: string }) => {
    const asked = Object.fromEntries(new URLSearchParams(link.split('#')[1]));
    return (await browser.ask('POST', '/console/v1/session/redeem', asked)).status;
  };
  expect([await redeem(invited), await redeem(same)]).toEqual([200, 200]);
});

it('mappings, roles, the catalogue and participants are written once', async () => {
  const mapping = { columns: { Name: null }, values: {}, matches: {} };
  const [saved, same] = await twice('POST', '/console/v1/file-mappings', {
    ...{ surface: 'bookingsImport', name: 'shop', mapping },
  });
  expect(same).toEqual(saved);
  const { memberId } = await signedIn(api, 'VIEWER');
  const [changed, still] = await twice('PATCH', `/console/v1/staff/${memberId}`, { role: 'MANAGER' });
  expect(still).toEqual(changed);
  const records = [{ record: 'event', slug: 'repeated', title: 'Run' }];
  const [written, known] = await twice('PUT', '/console/v1/catalogue', { records });
  const unchanged = { outcome: 'UNCHANGED', changes: [], changeCount: 0 };
  expect(known).toEqual({ ...written, records: [{ ...written.records[0], ...unchanged }] });
  const { row } = await sale(api, { maxCapacity: 1 });
  const { eventOccurrenceId, participants } = row();
  const participant = { ...participants[0], email: 'grace@example.com' };
  const [added, one] = await twice('POST', '/console/v1/participants', {
    ...{ requestId: 'repeated', eventOccurrenceId, participant },
  });
  expect(one.id).toBe(added.id);
  // Without the header as well, although the first has the only place.
  const add = (requestId: string, changed = {}) =>
    owner.ask('POST', '/console/v1/participants', {
      ...{ requestId, eventOccurrenceId, participant: { ...participant, ...changed } },
    });
  expect(await add('repeated')).toMatchObject({ status: 200, body: { id: added.id } });
  // Other values are not taken for those that were stored.
  expect(await add('repeated', { lastName: 'Brewster' })).toMatchObject({
    status: 400,
    body: {
      problems: [{ path: 'requestId', code: 'ALREADY_ADDED', participantId: added.id }],
    },
  });
  expect(await add('another')).toMatchObject({
    status: 400,
    body: { problems: [{ code: 'NO_CAPACITY_REMAINING' }] },
  });
  const [job, sameJob] = await twice('POST', '/console/v1/participants/changes', {
    ...{ participantIds: [added.id], change: { type: 'TAG', tag: 'club' } },
  });
  expect(sameJob.jobId).toBe(job.jobId);
});

it('the document says which operations these are', () => {
  const names = ALL_OPERATIONS.filter(
    ({ access, path, method }) =>
      access.keys.length === 0 &&
      (DOCUMENT.paths[path][method.toLowerCase()].parameters ?? []).some(
        ({ name }: Schema) => name === 'Idempotency-Key',
      ),
  ).map(({ name }) => name);
  expect(names.sort()).toEqual([
    'addParticipant',
    'changeParticipants',
    'changeStaffRole',
    'createKey',
    'decideApplications',
    'drawBallot',
    'erasePerson',
    'exportPerson',
    'invitePartnerMember',
    'inviteStaff',
    'redactParticipant',
    'resetStaff',
    'restrictKey',
    'revokeKey',
    'rotateKey',
    'saveFileMapping',
    'setRaceDay',
    'updateStaffDiscountCode',
    'writeCatalogueAsStaff',
  ]);
});
