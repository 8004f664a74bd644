import { request } from 'node:http';
import { connect } from 'node:net';
import { key, type WholeOrganization, wholeOrganization } from '#libs/testing';
import { newId } from '#platform/database';
import { startApi, type TestApi } from '../harness';
import { expectRefused } from './refused';

/** The order of docs/interface.md#errors: 401, 403 by kind and scope, 429, 403 by surface, 413, 404, 400, and 404 of missing resources. */
let api: TestApi;
let whole: WholeOrganization;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  api = await startApi({
    BODY_LIMIT: '2000',
    IMPORT_BODY_LIMIT: '2000',
    RATE_IMPORT: '2',
    RATE_REGISTRATION_STATUS: '2',
  });
  whole = await wholeOrganization(api.dataSource, { mark: 'marathon', surfaces: ['discountCodes'] });
  const { organizationId, ids } = whole;
  const make = async (name: string, given: object = {}) => {
    tokens[name] = (await key(api.dataSource, { organizationId, ...given })).token;
  };
  for (const name of ['any', 'another', 'third']) await make(name);
  await make('marketplace', { kind: 'MARKETPLACE' });
  await make('scoped', { eventOccurrenceIds: [ids['event-occurrences']] });
});
afterAll(() => api.close());

const LARGE = `{"group":"${'x'.repeat(3_000)}"}`;
const code = (id: string, query = '') => `/v0/discount-codes/${id}${query}`;
const own = () => whole.ids['discount-codes'] as string;
const patch = (path: string, body: unknown, token: string | null | undefined = tokens.any) =>
  api.send('PATCH', path, body, token);

/** Protects data from callers without access: a refusal says nothing that needs a later check. */
it('checks the key before anything else', async () => {
  expectRefused(await patch(code('malformed', '?nonsense=1'), LARGE, null), 401);
  expectRefused(await api.send('POST', '/v0/credits/import', LARGE, null), 401);
});

it('checks kind and scope of the key before surface, body, path and query', async () => {
  const path = '/v0/bookings/x/add-on-allocations?nonsense=1';
  expectRefused(await api.get(path, tokens.marketplace), 403, 'key of kind ORGANIZER');
  expectRefused(await api.get(path, tokens.scoped), 403, 'not permitted to call this endpoint');
  expectRefused(await api.send('POST', '/v0/credits/import', LARGE, tokens.scoped), 403, 'not permitted');
});

it('counts a request after the check of the scope and before the check of the surface', async () => {
  const ask = () => api.send('POST', '/v0/credits/import', LARGE, tokens.another);
  expectRefused(await ask(), 403, 'creditsImport');
  expectRefused(await ask(), 403, 'creditsImport');
  expectRefused(await ask(), 429, 'Too many requests');
  const scoped = () =>
    api.send('POST', `/v0/event-occurrences/${newId()}/registration-status`, {}, tokens.scoped);
  for (let i = 0; i < 4; i++) {
    const refused = await scoped();
    expectRefused(refused, 403, 'that event occurrence');
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('2');
  }
  const allowed = `/v0/event-occurrences/${whole.ids['event-occurrences']}/registration-status`;
  await api.send('POST', allowed, { email: 'a@b.c' }, tokens.scoped);
  expect((await scoped()).headers.get('x-ratelimit-remaining')).toBe('1');
});

it('counts a request before it reads its body, path and query', async () => {
  const ask = () =>
    api.send('POST', '/v0/event-occurrences/x/registration-status?nonsense=1', LARGE, tokens.third);
  expectRefused(await ask(), 413);
  expectRefused(await ask(), 413);
  expectRefused(await ask(), 429);
});

it('checks the surface before path and query', async () => {
  expectRefused(
    await api.get('/v0/bookings/x/add-on-allocations?nonsense=1', tokens.any),
    403,
    'addOnAllocations',
  );
});

it('checks the size of the body before the path, and the path before query and body', async () => {
  expectRefused(await patch(code('malformed', '?nonsense=1'), LARGE), 413);
  expectRefused(await patch(code('malformed', '?nonsense=1'), '{'), 404);
  expectRefused(await patch(code('malformed'), { nonsense: 1 }), 404);
});

it('checks query and body before it reads any data', async () => {
  expectRefused(await patch(code(newId(), '?nonsense=1'), { group: 'a' }), 400, 'nonsense');
  expectRefused(await patch(code(newId()), '{'), 400, 'JSON');
  expectRefused(await patch(code(newId()), { group: 5 }), 400, 'group');
  expectRefused(await patch(code(newId()), { group: 'a' }), 404);
  expect((await patch(code(own()), { group: 'a' })).status).toBe(200);
});

it('rejects without waiting for a body that it does not read', async () => {
  const { port } = new URL(api.url);
  const answer = (path: string, token?: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': 20_000_000,
        ...(token && { authorization: `Bearer ${token}` }),
      };
      const asking = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, ({ statusCode }) => {
        resolve(statusCode ?? 0);
        asking.destroy();
      });
      asking.on('error', reject);
      asking.flushHeaders();
    });
  expect(await answer('/v0/bookings/import')).toBe(401);
  expect(await answer('/v0/bookings/import', tokens.scoped)).toBe(403);
  expect(await answer('/v0/bookings/import', tokens.any)).toBe(403);
  expect(await answer('/v0/partners', tokens.any)).toBe(413);
});

it('refuses what the headers say before it asks for the body, and asks for any other', async () => {
  const { port } = new URL(api.url);
  /** What the server sent to a client that waits for `100 Continue`, and sends the body then. */
  const said = async (path: string, token: string | undefined, body: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    const lines = [
      `POST ${path} HTTP/1.1`,
      'host: x',
      'connection: close',
      'expect: 100-continue',
      'content-type: application/json',
      `content-length: ${body.length}`,
      ...(token ? [`authorization: Bearer ${token}`] : []),
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    let answer = '';
    for await (const piece of socket) {
      answer += piece;
      if (answer === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body);
    }
    return [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  };
  const small = JSON.stringify({
    name: 'Club',
    contacts: [{ firstName: 'A', lastName: 'B', email: 'a@b.c' }],
  });
  expect(await said('/v0/partners', undefined, small)).toEqual([401]);
  expect(await said('/v0/partners', tokens.scoped, small)).toEqual([403]);
  expect(await said('/v0/partners', tokens.any, LARGE)).toEqual([413]);
  expect(await said('/v0/partners', tokens.any, small)).toEqual([100, 200]);
});
