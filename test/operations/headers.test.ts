import { once } from 'node:events';
import { connect } from 'node:net';
import { startApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ HEADERS_TIMEOUT_MS: '200', REQUEST_TIMEOUT_MS: '400' });
});
afterAll(() => api.close());

/** Sends the text as it is, and reads until the other side closes. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes;
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

describe('security headers', () => {
  it('are strict on every answer, errors too', async () => {
    for (const path of ['/identity', '/nope', '/health/live']) {
      const { headers } = await api.get(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('let no other site read answers', async () => {
    const { headers } = await api.send('GET', '/identity', undefined, undefined, {
      origin: 'https://elsewhere.example',
    });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('leave room for pages', async () => {
    const { status, headers } = await api.get('/docs', null);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('cache-control')).toBeNull();
  });
});

describe('clients that are slow or broken', () => {
  it('are cut off when their headers take too long', async () => {
    expect(await raw('GET /identity HTTP/1.1\r\nhost: x\r\n')).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
  });

  it('are cut off when their body takes too long', async () => {
    const head = `POST /v0/partners HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.token}\r\ncontent-length: 100\r\n\r\n{`;
    expect(await raw(head)).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it('get the contract’s error shape for what is not HTTP', async () => {
    const [head, body] = (await raw('NONSENSE\r\n\r\n')).split('\r\n\r\n') as [string, string];
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request/);
    expect(JSON.parse(body)).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'The request is not valid HTTP.',
    });
  });

  it('get it for headers that are too large', async () => {
    const answer = await raw(`GET /identity HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });
});
