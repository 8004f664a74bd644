import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const open = (): Socket => connect(Number(new URL(api.url).port), '127.0.0.1');

const requests = (paths: readonly string[]): string =>
  paths
    .map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.token}\r\n\r\n`)
    .join('');

/** The path of each request that the application has begun, in order, with `/end` for each response. */
function begun(): string[] {
  const seen: string[] = [];
  const router = api.app.getHttpAdapter().getInstance() as unknown as { handle(...given: unknown[]): void };
  const handle = router.handle.bind(router);
  jest.spyOn(router, 'handle').mockImplementation((...given: unknown[]) => {
    const [request, response] = given as [{ url: string }, NodeJS.EventEmitter];
    seen.push(request.url);
    response.prependOnceListener('close', () => seen.push('end'));
    handle(...given);
  });
  return seen;
}

afterEach(() => jest.restoreAllMocks());

it('handles the requests of a connection one after the other, in order', async () => {
  const seen = begun();
  const socket = open();
  const paths = Array.from({ length: 10 }, (_, i) => `/v0/participants?page[size]=${i + 1}`);
  socket.write(requests(paths));
  const last = 'GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
  socket.write(last);
  const said = await text(socket);
  expect(said.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(11);
  expect(seen).toEqual([...paths, '/health/live'].flatMap((path) => [path, 'end']));
});

it('closes a connection that has sent more requests than it may have without a response', async () => {
  const seen = begun();
  let parsed = 0;
  api.app.getHttpServer().on('request', () => parsed++);
  const socket = open();
  socket.on('error', () => {});
  socket.write(requests(Array.from({ length: 500 }, () => '/v0/participants')));
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  // One was handled; its connection was closed before a second one began.
  expect(seen[0]).toBe('/v0/participants');
  expect(seen.filter((path) => path !== 'end').length).toBeLessThanOrEqual(16);
  // What else the connection sent was not even parsed.
  expect(parsed).toBe(17);
});

it('begins nothing more for a client that has left', async () => {
  const seen = begun();
  const socket = open();
  socket.write(requests(['/v0/participants', '/v0/participants', '/v0/participants']));
  await once(socket, 'connect');
  socket.destroy();
  await expect(api.get('/v0/participants')).resolves.toMatchObject({ status: 200 });
  const own = seen.filter((path) => path === '/v0/participants').length;
  expect(own).toBeLessThanOrEqual(2);
});

it('reads the body of a request that waits', async () => {
  const socket = open();
  const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];
  const body = JSON.stringify({ name: 'Pipelined partner', contacts, specificMarketings: [] });
  socket.write(requests(['/v0/participants']));
  socket.write(
    `POST /v0/partners HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.token}\r\nconnection: close\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  const said = await text(socket);
  expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(said).toContain('Pipelined partner');
});
