import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import zlib, { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { booking } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
  for (let i = 0; i < 5; i++) await booking(api.dataSource, { organizationId: api.organizationId });
});
afterAll(() => api.close());

/** Without fetch, which decompresses. */
async function get(path: string, acceptEncoding: string | undefined) {
  const { url, token } = api;
  const sent = request(url + path, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
    },
  }).end();
  const [response] = await new Promise<[import('node:http').IncomingMessage]>((resolve, reject) =>
    sent.on('response', (received) => resolve([received])).on('error', reject),
  );
  return { headers: response.headers, bytes: await buffer(response) };
}

const decode = (encoding: string | undefined, bytes: Buffer): string =>
  (encoding === 'br'
    ? brotliDecompressSync(bytes)
    : encoding === 'gzip'
      ? gunzipSync(bytes)
      : bytes
  ).toString();

const LIST = '/v0/participants';
const EXPORT = '/v0/participants/export?format=ndjson';

/** Protects clients and caches between: each gets an encoding that it can read, of the same text. */
describe.each([LIST, EXPORT])('GET %s', (path) => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['', undefined],
    [undefined, undefined],
  ])(
    'with Accept-Encoding %j is encoded with %s, and decodes to the same text',
    async (accepted, encoding) => {
      const plain = await get(path, undefined);
      const { headers, bytes } = await get(path, accepted);
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers.vary).toBe('accept-encoding');
      if (path === LIST) expect(headers['content-length']).toBe(String(bytes.length));
      expect(decode(encoding, bytes)).toBe(plain.bytes.toString());
      if (encoding) expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
    },
  );
});

it.each(['/openapi.json', '/docs', '/docs/importing', '/docs/search.json', '/changelog'])(
  'GET %s is compressed once',
  async (path) => {
    const plain = await get(path, undefined);
    const spies = [jest.spyOn(zlib, 'brotliCompress'), jest.spyOn(zlib, 'gzip')];
    for (const [encoding, decoded] of [
      ['br', zlib.brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await get(path, encoding);
      expect(headers['content-encoding']).toBe(encoding);
      expect(decoded(bytes).equals(plain.bytes)).toBe(true);
    }
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
    const again = await fetch(api.url + path, { headers: { 'if-none-match': plain.headers.etag ?? '' } });
    expect(again.status).toBe(304);
  },
);

it('an Accept-Encoding that is longer than any client sends is not read', async () => {
  const { headers } = await get(LIST, `br, ${'x;q=0.5, '.repeat(1_600)}gzip`);
  expect(headers['content-encoding']).toBeUndefined();
});

it('a small response is not compressed', async () => {
  const { headers, bytes } = await get('/v0/participants?page[size]=1&email=unknown@example.com', 'br');
  expect(headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(bytes.toString()).data).toEqual([]);
});
