import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { eventually, startApi, type TestApi } from '../harness';

const SOON = '400';
const NEVER = '600000';
const CLIENTS = 200;

let api: TestApi;
afterEach(() => api.close());

/** An API of which only the given limits are ever reached. */
const limited = async (limits: Record<string, string>): Promise<void> => {
  api = await startApi({
    REQUEST_TIMEOUT_MS: NEVER,
    KEEP_ALIVE_MS: NEVER,
    ...limits,
  });
};

/**
 * Sends the beginning, and then one piece after the other, until the server closes the connection.
 *
 * @returns the response
 */
function dribble(beginning: string, piece: string, everyMs = 50): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const socket: Socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write(beginning);
    const dribbling = setInterval(() => piece && socket.write(piece), everyMs);
    socket.on('data', (bytes) => {
      // Data sent to a closed connection could discard the response.
      clearInterval(dribbling);
      said += bytes;
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      clearInterval(dribbling);
      resolve(said);
    });
  });
}

const TIMED_OUT = {
  statusCode: 408,
  error: 'Request Timeout',
  message: 'The request was not received in time.',
};
const bodyOf = (said: string) => JSON.parse(said.slice(said.indexOf('\r\n\r\n') + 4));

/** Protects the other clients: connections are few, and who is slow on purpose keeps none. */
describe('a client is cut off', () => {
  it('when its headers take too long', async () => {
    await limited({});
    (api.app.getHttpServer() as Server).headersTimeout = Number(SOON);
    const said = await dribble('GET /identity HTTP/1.1\r\nhost: x\r\n', 'x-slow: 1\r\n');
    expect(said).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(bodyOf(said)).toEqual(TIMED_OUT);
    // When it sends nothing, too.
    expect(await dribble('', '')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('when its body takes longer than REQUEST_TIMEOUT_MS', async () => {
    await limited({ REQUEST_TIMEOUT_MS: SOON });
    const head = [
      'POST /v0/partners HTTP/1.1',
      'host: x',
      `authorization: Bearer ${api.token}`,
      'content-type: application/json',
      'content-length: 100000',
      '\r\n',
    ].join('\r\n');
    const said = await dribble(`${head}{`, ' ');
    expect(said).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(bodyOf(said)).toEqual(TIMED_OUT);
    expect(await api.dataSource.query('SELECT 1 FROM partners')).toEqual([]);
  });

  it('when it keeps an idle connection longer than KEEP_ALIVE_MS', async () => {
    await limited({ KEEP_ALIVE_MS: SOON });
    expect(await dribble('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n', '')).toMatch(
      /^HTTP\/1\.1 200 OK\r\n/,
    );
  });

  it('when it sends something other than HTTP, or headers that never end or lack Host', async () => {
    await limited({});
    const nonsense = await dribble('NONSENSE\r\n\r\n', '');
    expect(nonsense).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(bodyOf(nonsense)).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'The request is not valid HTTP.',
    });
    const endless = await dribble(`GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}`, 'x');
    expect(endless).toMatch(/^HTTP\/1\.1 431 /);
    expect(bodyOf(endless)).toMatchObject({ statusCode: 431 });
    const proxied = await dribble('CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n', '');
    expect(bodyOf(proxied)).toMatchObject({ statusCode: 405 });
    const expecting = await dribble('GET /identity HTTP/1.1\r\nhost: x\r\nexpect: more\r\n\r\n', '');
    expect(bodyOf(expecting)).toMatchObject({ statusCode: 417, error: 'Expectation Failed' });
    const toNobody = await dribble('GET /identity HTTP/1.1\r\n\r\n', '');
    expect(bodyOf(toNobody)).toMatchObject({ statusCode: 400, message: 'Send the header Host.' });
    expect(await dribble('GET /health/live HTTP/1.0\r\n\r\n', '')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('with CONNECT, even if it resets the connection or keeps its side open', async () => {
    await limited({});
    const server: Server = api.app.getHttpServer();
    const port = Number(new URL(api.url).port);
    const reset = connect(port, '127.0.0.1', () => {
      reset.write('CONNECT a:1 HTTP/1.1\r\nhost: x\r\n\r\n');
      reset.resetAndDestroy();
    });
    const kept = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () =>
      kept.write('CONNECT a:1 HTTP/1.1\r\nhost: x\r\n\r\n'),
    );
    await once(kept.resume(), 'end');
    const connections = promisify(server.getConnections.bind(server));
    await eventually(async () => (await connections()) === 0).finally(() => kept.destroy());
    expect((await api.get('/health/live')).status).toBe(200);
  });

  it('with an unknown Expect, after the response to its earlier request', async () => {
    await limited({});
    const both = 'GET /health/live HTTP/1.1\r\nhost: x\r\n';
    const said = await dribble(`${both}\r\n${both}expect: more\r\n\r\n`, '');
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 417']);
  });
});

describe('other clients', () => {
  it('get responses while 200 slow clients are connected', async () => {
    await limited({});
    const server: Server = api.app.getHttpServer();
    const slow = Array.from({ length: CLIENTS }, () =>
      dribble('GET /identity HTTP/1.1\r\n', 'x: 1\r\n', 100),
    );
    const connections = promisify(server.getConnections.bind(server));
    await eventually(async () => (await connections()) >= CLIENTS);
    expect((await api.get('/identity')).status).toBe(200);
    server.headersTimeout = Number(SOON);
    for (const said of await Promise.all(slow)) expect(said).toMatch(/^HTTP\/1\.1 408 /);
  });
});
