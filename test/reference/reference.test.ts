import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sharedSettings } from '#libs/testing';
import { loadSettings } from '#platform/config';
import { guideLink } from '../../apps/api/src/reference/guides';
import { sharedApi, startApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const committed = (file: string) => readFileSync(resolve(__dirname, '../..', file), 'utf8');

describe('GET /', () => {
  it('links to the reference, the document and the changes, which all exist', async () => {
    const { status, body } = await api.get('/', null);
    expect(status).toBe(200);
    const { name, ...links } = body;
    expect(name).toBe('Startline');
    expect(Object.keys(links)).toEqual([
      ...['reference', 'openapi', 'changelog', 'assistants', 'client', 'python', 'collection'],
    ]);
    for (const path of Object.values<string>(links)) expect((await api.get(path, null)).status).toBe(200);
    // Of this release.
    expect((await api.get('/docs/python', null)).text).toContain(links.python);
  });
});

/** Protects readers of the reference: its pages run no script of others, and belong to this version. */
describe('the reference', () => {
  it('serves the committed OpenAPI document, byte for byte, without a key', async () => {
    const { status, text, headers } = await api.get('/openapi.json', null);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(text).toBe(committed('openapi.json'));
  });

  it('names the public address if it is configured', async () => {
    const elsewhere = await startApi({ PUBLIC_URL: 'https://api.example.com' });
    const { body } = await elsewhere.get('/openapi.json', null);
    const { text: guide } = await elsewhere.get('/docs/client', null);
    await elsewhere.close();
    expect(guide).toContain('https://api.example.com/client.tgz');
    expect(guide).not.toContain('http://127.0.0.1:3000');
    expect(body.servers).toEqual([expect.objectContaining({ url: 'https://api.example.com' })]);
    expect({ ...body, servers: [] }).toEqual({ ...JSON.parse(committed('openapi.json')), servers: [] });
  });

  it('is a page that loads nothing from other hosts', async () => {
    const { status, text, headers } = await api.get('/docs', null);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    const assets = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => address as string);
    expect(assets.length).toBeGreaterThan(3);
    for (const asset of assets) {
      expect(asset).toMatch(/^\/(?!\/)/);
      expect([asset, (await api.get(asset, null)).status]).toEqual([asset, 200]);
    }
  });

  it('has a page for each guide and group, without broken links', async () => {
    const pages = new Map<string, string>();
    const visit = async (path: string): Promise<void> => {
      if (pages.has(path)) return;
      const { status, text } = await api.get(path, null);
      expect([path, status]).toEqual([path, 200]);
      pages.set(path, text);
      if (!text.startsWith('<!doctype html>')) return;
      for (const [, address = ''] of text.matchAll(/<a [^>]*href="([^"]*)"/g)) {
        if (address.startsWith('/')) await visit(address.split('#')[0] as string);
      }
    };
    await visit('/docs');
    for (const slug of [
      'quickstart',
      'importing',
      'syncing',
      'race-day',
      'errors',
      'limits',
      'rate-limits',
      'interface',
      'domain-rules',
      'keys',
      'python',
      'glossary',
      'participants',
      'timing',
    ]) {
      expect(pages.has(`/docs/${slug}`)).toBe(true);
    }
    for (const [path, text] of pages) {
      for (const [, anchor = ''] of text.matchAll(/<a [^>]*href="#([^"]+)"/g)) {
        expect([path, anchor, text.includes(`id="${anchor}"`)]).toEqual([path, anchor, true]);
      }
    }
  });

  it('has every page as Markdown, which /llms.txt lists and /llms-full.txt contains', async () => {
    const { text, headers } = await api.get('/llms.txt', null);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const { text: full } = await api.get('/llms-full.txt', null);
    const listed = [...text.matchAll(/^- \[.+\]\((.+)\): .+\.$/gm)].map(([, path = '']) => path);
    const { text: html } = await api.get('/docs', null);
    const inContents = [...html.matchAll(/<li><a href="(\/docs[\w/-]*)"/g)].map(([, path]) => path);
    expect(listed).toEqual(inContents.map((path) => `${path === '/docs' ? '/docs/introduction' : path}.md`));
    const pages = new Set(listed);
    for (const path of pages) {
      const page = await api.get(path, null);
      expect([path, page.status, page.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/markdown; charset=utf-8',
      ]);
      expect(page.text.startsWith('# ')).toBe(true);
      expect(full).toContain(page.text.trim());
      for (const [, href = ''] of page.text.matchAll(/\]\((\/docs\/[^)#\s]+\.md)/g)) pages.add(href);
    }
    expect(full).toContain('name: `listParticipants`');
    expect(full.length).toBeLessThan(600_000);
  });

  it('keeps every link of a document', async () => {
    for (const [page, file] of [
      ['interface', 'docs/interface.md'],
      ['python', 'clients/python/README.md'],
      ['changelog', 'CHANGELOG.md'],
    ]) {
      const { text } = await api.get(`/docs/${page}`, null);
      const [content = ''] = /<article.*<\/article>/s.exec(text) ?? [];
      const links = committed(file as string).match(/\]\([^)\s]+\)/g) ?? [];
      expect([page, content.match(/<a href="[^"]+"/g)?.length]).toEqual([page, links.length]);
    }
    expect(() => guideLink('decisions/imports.md')).toThrow(/is on no page/);
  });

  it('shows every operation that a key may call, with samples, and no regular expression', async () => {
    const { paths } = JSON.parse(committed('openapi.json'));
    const operations = Object.values<Record<string, any>>(paths).flatMap((item) => Object.values(item));
    const groups = [...(await api.get('/docs', null)).text.matchAll(/href="\/docs\/([\w-]+)"/g)].map(
      ([, slug]) => slug,
    );
    const shown = (await Promise.all([...new Set(groups)].map((slug) => api.get(`/docs/${slug}`, null))))
      .map(({ text }) => text)
      .join('');
    for (const { operationId, summary, 'x-access': access } of operations) {
      const section = shown
        .split(`<section class="operation" id="${operationId}"`)[1]
        ?.split('</section>')[0];
      if (access.keys.length === 0) expect(section).toBeUndefined();
      else {
        expect(section).toContain(summary);
        for (const language of ['curl', 'typescript', 'python'])
          expect(section).toContain(`data-language="${language}"`);
      }
    }
    expect(shown).not.toContain('\\p{L}');
  });

  it('gives the search each section, operation and property once, and links that exist', async () => {
    const { text } = await api.get('/docs/search.json', null);
    const places: { kind: string; url: string; title: string; text: string }[] = JSON.parse(text);
    const of = (kind: string) => places.filter((each) => each.kind === kind);
    const { paths } = JSON.parse(committed('openapi.json'));
    const operations = Object.values<object>(paths).flatMap((item) => Object.keys(item));
    expect(of('operation').length).toBeGreaterThan(operations.length);
    expect(of('property').filter(({ title }) => title === 'startDate[gte]')).toHaveLength(1);
    const pages = new Map<string, string>();
    for (const { url } of places) {
      const [path = '', anchor] = url.split('#');
      if (!pages.has(path)) pages.set(path, (await api.get(path, null)).text);
      expect([url, pages.get(path)?.includes(`id="${anchor}"`)]).toEqual([url, true]);
    }
  });

  it('serves a collection for Postman with every operation, and the address and the key as variables', async () => {
    const { status, text } = await api.get('/collection.json', null);
    expect(status).toBe(200);
    const { info, item, auth, variable } = JSON.parse(text);
    const all = (items: any[]): any[] =>
      items.flatMap((each) => (each.item ? all(each.item) : [each.request]));
    const requests = all(item).map(({ method, url, body, auth: own }) => {
      expect([url.host, own]).toEqual([['{{baseUrl}}'], undefined]);
      if (body?.options?.raw?.language === 'json') JSON.parse(body.raw);
      return `${method} /${url.path.join('/')}`;
    });
    const { paths } = JSON.parse(committed('openapi.json'));
    const operations = Object.entries<object>(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(requests.sort()).toEqual(operations.sort());
    expect(auth.bearer).toEqual([expect.objectContaining({ key: 'token', value: '{{apiKey}}' })]);
    expect(variable.map(({ key, value }: any) => [key, value])).toEqual([
      ['baseUrl', 'http://127.0.0.1:3000'],
      ['apiKey', ''],
    ]);
    expect(info.schema).toContain('/collection/v2.1.0/');
  });

  it('answers at the addresses that people and browsers try', async () => {
    const { text } = await api.get('/docs', null);
    expect((await api.get('/docs/', null)).text).toBe(text);
    expect((await api.get('/docs/keys/', null)).status).toBe(200);
    const icon = await api.get('/favicon.ico', null);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  it('names the contact of the settings for reports of vulnerabilities, and nobody without it', async () => {
    const path = '/.well-known/security.txt';
    expect((await api.get(path, null)).status).toBe(404);
    const other = await startApi({
      SECURITY_CONTACT: 'security@city-runs.example',
      PUBLIC_URL: 'https://api.example.com',
    });
    const { text, headers } = await other.get(path, null);
    await other.close();
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const [contact, expires = '', ...more] = text.trim().split('\n');
    expect(contact).toBe('Contact: mailto:security@city-runs.example');
    const days = (Date.parse(expires.replace('Expires: ', '')) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
    expect(more).toEqual(['Preferred-Languages: en', `Canonical: https://api.example.com${path}`]);
    for (const wrong of ['nobody', 'http://example.com', 'mailto:'])
      expect(() => loadSettings({ ...sharedSettings(), SECURITY_CONTACT: wrong })).toThrow(
        /SECURITY_CONTACT: must be an email address or an https URL/,
      );
  });

  it.each(['/docs/package.json', '/docs/..%2f..%2fpackage.json', '/docs/nothing.js'])(
    'returns 404 for %s',
    async (path) => {
      const { status, body } = await api.get(path, null);
      expect([status, body.error]).toEqual([404, 'Not Found']);
    },
  );

  it('shows the changelog, with deprecations', async () => {
    const { status, text } = await api.get('/changelog', null);
    expect(status).toBe(200);
    expect(text).toContain('<h2 id="0-2-0">0.2.0</h2>');
    expect(text).toContain('<code>cursor[after]</code>');
  });
});
