import { connect } from 'node:net';
import { startApi, type TestApi } from '../harness';

const HEADERS_TIMEOUT_MS = 400;
const REQUEST_TIMEOUT_MS = 900;

let api: TestApi;
beforeAll(async () => {
  api = await startApi({
    HEADERS_TIMEOUT_MS: String(HEADERS_TIMEOUT_MS),
    REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS),
    KEEP_ALIVE_MS: '500',
  });
});
afterAll(() => api.close());

/**
 * Sends the beginning, and then one piece after the other, until the server closes the connection.
 *
 * @returns the response, and the time until the close
 */
function dribble(beginning: string, piece: string, everyMs = 50): Promise<{ said: string; ms: number }> {
  const start = performance.now();
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
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
      resolve({ said, ms: performance.now() - start });
    });
  });
}

const TIMED_OUT = {
  statusCode: 408,
  error: 'Request Timeout',
  message: 'The request was not received in time.',
};
const bodyOf = (said: string) => JSON.parse(said.slice(said.indexOf('\r\n\r\n') + 4));

describe('a client is cut off', () => {
  it('when its headers take longer than HEADERS_TIMEOUT_MS', async () => {
    const { said, ms } = await dribble('GET /identity HTTP/1.1\r\nhost: x\r\n', 'x-slow: 1\r\n');
    expect(said).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(bodyOf(said)).toEqual(TIMED_OUT);
    expect(ms).toBeGreaterThanOrEqual(HEADERS_TIMEOUT_MS - 50);
  });

  it('when its body takes longer than REQUEST_TIMEOUT_MS', async () => {
    const head = [
      'POST /v0/partners HTTP/1.1',
      'host: x',
      `authorization: Bearer ${api.token}`,
      'content-type: application/json',
      'content-length: 100000',
      '\r\n',
    ].join('\r\n');
    const { said, ms } = await dribble(`${head}{`, ' ');
    expect(said).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(bodyOf(said)).toEqual(TIMED_OUT);
    expect(ms).toBeGreaterThanOrEqual(REQUEST_TIMEOUT_MS - 50);
    expect(await api.dataSource.query('SELECT 1 FROM partners')).toEqual([]);
  });

  it('when it sends nothing', async () => {
    expect((await dribble('', '')).said).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('when it keeps an idle connection longer than KEEP_ALIVE_MS', async () => {
    const { said, ms } = await dribble('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n', '');
    expect(said).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(ms).toBeGreaterThanOrEqual(400);
  });

  it('when it sends something other than HTTP', async () => {
    const { said } = await dribble('NONSENSE\r\n\r\n', '');
    expect(said).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(bodyOf(said)).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'The request is not valid HTTP.',
    });
  });

  it('when its headers never end', async () => {
    const { said } = await dribble(`GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}`, 'x');
    expect(said).toMatch(/^HTTP\/1\.1 431 /);
    expect(bodyOf(said)).toMatchObject({ statusCode: 431 });
  });
});

describe('other clients', () => {
  it('get responses while 200 slow clients are connected', async () => {
    const slow = Array.from({ length: 200 }, () => dribble('GET /identity HTTP/1.1\r\n', 'x: 1\r\n', 100));
    expect((await api.get('/identity')).status).toBe(200);
    for (const { said } of await Promise.all(slow)) expect(said).toMatch(/^HTTP\/1\.1 408 /);
  });
});
