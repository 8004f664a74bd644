import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { key } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

/** Unchanged: fetch would normalize it. */
const statusOf = (path: string, token = api.token) =>
  new Promise<number | undefined>((resolve, reject) => {
    const url = new URL(api.url);
    get(
      { host: url.hostname, port: url.port, path, headers: { authorization: `Bearer ${token}` } },
      (answer) => {
        resolve(answer.resume().statusCode);
      },
    ).on('error', reject);
  });

/** Protects rules by path, in the API and in proxies before it: another spelling would pass them. */
describe('only the documented spelling of a path works', () => {
  const others = (path: string) => [
    path.toUpperCase(),
    path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
    `${path}//`,
    `/${path}`,
  ];

  it.each(['/metrics', '/health/live', '/docs'])('%s', async (path) => {
    expect(await statusOf(path)).toBe(200);
    // People type the address of the reference.
    const slash = path === '/docs' ? [] : [`${path}/`];
    for (const other of [...others(path), ...slash])
      expect([other, await statusOf(other)]).toEqual([other, 404]);
  });

  it.each([
    ['/identity', 'ORGANIZER'],
    ['/v0/partners', 'ORGANIZER'],
    ['/timing-inbound/v1/participants', 'TIMING'],
    ['/marketplace/v1/events', 'MARKETPLACE'],
  ] as const)('%s, of which a trailing slash is ignored', async (path, kind) => {
    const { token } = await key(api.dataSource, { organizationId: api.organizationId, kind });
    for (const taken of [path, `${path}/`, `${path}/?`])
      expect([taken, await statusOf(taken, token)]).toEqual([taken, 200]);
    for (const other of others(path)) expect([other, await statusOf(other, token)]).toEqual([other, 404]);
  });
});

it('a request with two Host headers is refused', async () => {
  const { port } = new URL(api.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end('GET /health/live HTTP/1.1\r\nHost: a\r\nhost: b\r\nconnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"Send the header Host once\."/);
});

/** Express answers a target that is no URL before any middleware, in HTML and without a request id. */
it.each([
  ['http://[::1/v0/participants', 404],
  ['http://x:port/identity', 404],
  ['http://x/identity', 200],
])('the request target %s is answered as any other', async (path, status) => {
  const { hostname, port } = new URL(api.url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${api.token}` };
    get({ host: hostname, port, path, headers }, resolve).on('error', reject);
  });
  const body = JSON.parse(await text(response));
  expect(response.statusCode).toBe(status);
  expect(response.headers['x-request-id']).toBeDefined();
  if (status === 404) expect(body).toMatchObject({ statusCode: 404, error: 'Not Found' });
});
