import { type OrganizerRole, STAFF_ROLES, type StaffRole } from '#platform/database';
import { operationsOf } from '#platform/http';
import { ALL_OPERATIONS } from '../contract/document';
import { sharedApi, type TestApi } from '../harness';
import { type Browser, signedIn } from './console';

let api: TestApi;
let browsers: Record<OrganizerRole, Browser>;
beforeAll(async () => {
  api = await sharedApi();
  const members = await Promise.all(
    STAFF_ROLES.map(async (role) => [role, (await signedIn(api, role)).browser] as const),
  );
  browsers = Object.fromEntries(members) as Record<OrganizerRole, Browser>;
});
afterAll(() => api.close());

const READERS: StaffRole[] = ['OWNER', 'MANAGER', 'VIEWER'];
const WRITERS: StaffRole[] = ['OWNER', 'MANAGER'];

/** The roles that can call each operation, repeated from the documentation on purpose. */
function expectedRoles(path: string, method: string): readonly StaffRole[] {
  if (path.startsWith('/marketplace') || path.startsWith('/timing-inbound')) return [];
  if (path === '/console/v1/partners') return READERS;
  if (/^\/console\/v1\/(staff|keys|partners)/.test(path)) return ['OWNER'];
  if (path.endsWith('/start-list')) return [...WRITERS, 'RACE_DAY'];
  if (path === '/console/v1/history' || path.endsWith('/bibs')) return WRITERS;
  if (path === '/console/v1/audit-log' || path === '/console/v1/requests') return WRITERS;
  if (path.endsWith('/undo')) return WRITERS;
  if (/^\/console\/v1\/(file-mappings|catalogue)/.test(path)) return WRITERS;
  if (path.startsWith('/console/v1/import-jobs')) return READERS;
  if (path.startsWith('/console/v1/event-occurrences')) return READERS;
  if (path.startsWith('/console/v1/participants') && method === 'POST') return WRITERS;
  if (/^\/console\/v1\/person(s|-jobs)\//.test(path)) return WRITERS;
  if (path.endsWith('/race-day') || path.startsWith('/console/v1/race-day/')) return [...WRITERS, 'RACE_DAY'];
  if (path.startsWith('/console/v1/participants')) return STAFF_ROLES;
  if (/^\/console\/v1\/(me|session|sessions)/.test(path)) return STAFF_ROLES;
  if (path === '/v0/participants/export') return WRITERS;
  if (path === '/identity') return READERS;
  return method === 'GET' || path.endsWith('/registration-status') ? READERS : WRITERS;
}

it('allows each role exactly its operations', async () => {
  const wrong: string[] = [];
  const ending = ['signOut'];
  for (const { name, method, path } of ALL_OPERATIONS) {
    const { anonymous } = operationsOf(api.app).find((one) => one.name === name) ?? {};
    if (anonymous || ending.includes(name)) continue;
    for (const role of STAFF_ROLES) {
      const { status, body } = await browsers[role].ask(
        method,
        path.replace(/\{\w+\}/g, 'x'),
        method === 'GET' ? undefined : {},
      );
      const permitted = !(status === 401 || (status === 403 && !/not enabled/.test(body.message)));
      if (permitted !== expectedRoles(path, method).includes(role))
        wrong.push(`${role} ${method} ${path}: ${status} ${body.message}`);
    }
  }
  expect(wrong).toEqual([]);
});

it('rejects API keys on operations for staff only', async () => {
  for (const { method, path } of ALL_OPERATIONS.filter(({ path }) => path.startsWith('/console/'))) {
    if (/session/.test(path) && (method === 'POST' || path.endsWith('/options'))) continue;
    const { status, body } = await api.send(method, path.replace(/\{\w+\}/g, 'x'), undefined);
    expect([method, path, status, body.message]).toEqual([
      method,
      path,
      403,
      'This endpoint is for staff who are signed in to the console.',
    ]);
  }
});

it('applies a changed role at once, and rejects removing the last owner', async () => {
  const { browser: owner, memberId } = await signedIn(api, 'OWNER');
  const { browser, memberId: viewer } = await signedIn(api, 'VIEWER');
  expect((await browser.ask('GET', '/console/v1/staff')).status).toBe(403);
  const change = (id: string, role: StaffRole) => owner.ask('PATCH', `/console/v1/staff/${id}`, { role });
  expect((await change(viewer, 'OWNER')).body.role).toBe('OWNER');
  while ((await browser.ask('GET', '/console/v1/staff')).status !== 200);
  const { body } = await browser.ask('GET', '/console/v1/staff');
  const owners = body.data.filter(({ role }: { role: string }) => role === 'OWNER');
  for (const { id } of owners.filter(({ id }: { id: string }) => id !== memberId)) await change(id, 'VIEWER');
  const last = await change(memberId, 'VIEWER');
  expect([last.status, last.body.message]).toEqual([
    400,
    'The organization must have an owner. Make another member an owner first.',
  ]);
});
