import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const committed = (file: string) => readFileSync(resolve(__dirname, '../..', file), 'utf8');

describe('GET /', () => {
  it('names the reference, the document and the changes, all of which are there', async () => {
    const { status, body } = await api.get('/', null);
    expect(status).toBe(200);
    const { name, ...links } = body;
    expect(name).toBe('Startline');
    expect(Object.keys(links)).toEqual(['reference', 'openapi', 'changelog']);
    for (const path of Object.values<string>(links)) expect((await api.get(path, null)).status).toBe(200);
  });
});

describe('the reference', () => {
  it('serves the committed OpenAPI document, byte for byte, without a key', async () => {
    const { status, text, headers } = await api.get('/openapi.json', null);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(text).toBe(committed('openapi.json'));
  });

  it('names the address that clients use, where one is configured', async () => {
    const elsewhere = await startApi({ PUBLIC_URL: 'https://api.example.com' });
    const { body } = await elsewhere.get('/openapi.json', null);
    await elsewhere.close();
    expect(body.servers).toEqual([expect.objectContaining({ url: 'https://api.example.com' })]);
    expect({ ...body, servers: [] }).toEqual({ ...JSON.parse(committed('openapi.json')), servers: [] });
  });

  it('is a page that loads nothing from other hosts', async () => {
    const { status, text, headers } = await api.get('/docs', null);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    const assets = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string);
    expect(assets.length).toBeGreaterThan(3);
    for (const asset of assets) {
      expect(asset).toMatch(/^\/(?!\/)/);
      expect([asset, (await api.get(asset, null)).status]).toEqual([asset, 200]);
    }
  });

  it.each(['/docs/package.json', '/docs/..%2f..%2fpackage.json', '/docs/nothing.js'])(
    'answers 404 for %s',
    async (path) => {
      const { status, body } = await api.get(path, null);
      expect([status, body.error]).toEqual([404, 'Not Found']);
    },
  );

  it('shows the changelog, with what is deprecated', async () => {
    const { status, text } = await api.get('/changelog', null);
    expect(status).toBe(200);
    expect(text).toContain('<h2>0.1.0</h2>');
    expect(text).toContain('<code>cursor[after]</code>');
  });
});
