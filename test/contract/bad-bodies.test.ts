import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Asker, forAll, startAsker, titled } from './asker';
import { type DocumentedOperation, OPERATIONS, operation, pathOf, WITHOUT_ROWS } from './document';
import { expectRefused, raw } from './refused';

const LIMITS = {
  BODY_LIMIT: 20_000,
  IMPORT_BODY_LIMIT: 60_000,
};
const [CATALOGUE_LIMIT, TIMING_LIMIT] = [4_194_304, 16_777_216];
const WITH_BODY = OPERATIONS.filter(({ body }) => body);
/** Timing messages accept unknown properties. */
const CLOSED = WITH_BODY.filter(({ name }) => name !== 'ingestTiming');
const limitOf = ({ access, name }: DocumentedOperation) =>
  name === 'writeCatalogue'
    ? CATALOGUE_LIMIT
    : access.rate === 'import' && !WITHOUT_ROWS.has(name)
      ? LIMITS.IMPORT_BODY_LIMIT
      : access.rate === 'timing'
        ? TIMING_LIMIT
        : LIMITS.BODY_LIMIT;

let asker: Asker;
beforeAll(async () => {
  asker = await startAsker(
    Object.fromEntries(Object.entries(LIMITS).map(([name, bytes]) => [name, String(bytes)])),
  );
});
afterAll(() => asker.api.close());

const send = (of: DocumentedOperation, body: string | Buffer, headers: Record<string, string> = {}) =>
  raw(asker.api, of.method, pathOf(of, asker.whole.ids), {
    body,
    headers: { 'content-type': 'application/json', ...headers },
    token: asker.tokenFor(of),
  });

const PIECE = 65_536;
/** Sends the body without Content-Length. */
const sendInChunks = (of: DocumentedOperation, body: string) =>
  new Promise<number>((resolve, reject) => {
    const { port } = new URL(asker.api.url);
    const headers = { authorization: `Bearer ${asker.tokenFor(of)}`, 'content-type': 'application/json' };
    const path = pathOf(of, asker.whole.ids);
    const asking = request({ host: '127.0.0.1', port, path, method: of.method, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    asking.on('error', reject);
    for (let at = 0; at < body.length; at += PIECE) asking.write(body.slice(at, at + PIECE));
    asking.end();
  });

/** The paths to them, without the root. */
function objectsIn(value: unknown, path: string[] = ['body']): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) || path.length === 1 ? [] : [path];
  return [...own, ...Object.entries(value).flatMap(([key, part]) => objectsIn(part, [...path, key]))];
}

/** Protects stored data from bytes that programs read differently, and the process from unpacking them. */
describe.each(titled(WITH_BODY))('%s rejects', (_, of) => {
  const example = JSON.stringify(of.example);

  it('a body that is not JSON', () =>
    forAll(
      [
        '{"a":',
        '{a:1}',
        "{'a':1}",
        'undefined',
        'NaN',
        '{"a":1,}',
        '{"a":1}{"b":2}',
        '{"a":01}',
        '{"a":"\n"}',
        '{"a":"\\x41"}',
        `${example}x`,
        'email=ada%40example.com',
        '<xml/>',
      ],
      async (text) =>
        expectRefused(await send(of, text), 400, 'The body must be JSON', /position|its end|the character/),
    ));

  it('a body that is nested too deeply', async () =>
    expectRefused(await send(of, '['.repeat(15_000)), 400, 'must not be nested deeper than 64 levels'));

  it('an empty body', () =>
    forAll(['', ' \n '], async (text) =>
      expectRefused(await send(of, text), 400, 'The body must be JSON, but is empty'),
    ));

  it('a body that is not UTF-8', () =>
    forAll(
      [
        Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
        Buffer.from(`\ufeff${example}`, 'utf16le'),
        Buffer.from([...Buffer.from('{"a":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
      ],
      async (bytes) => expectRefused(await send(of, bytes), 400, 'UTF-8'),
    ));

  it('JSON of another type', () =>
    forAll(['null', '5', 'true', '"text"', '[]', '[[]]', '[null]'], async (text) =>
      expectRefused(await send(of, text), 400, /body|\[0\]/, 'must be'),
    ));

  it('a body over the limit, with and without Content-Length', async () => {
    const spaces = ' '.repeat(limitOf(of) - example.length);
    expect((await send(of, spaces + example)).status).not.toBe(413);
    expectRefused(await send(of, `${spaces} ${example}`), 413, `${limitOf(of)} bytes`);
    expect(await sendInChunks(of, ' '.repeat(limitOf(of) + 1))).toBe(413);
  });

  it('a compressed body, without decompressing it', () =>
    forAll(['br', 'identity, gzip', ...(of.access.rate === 'import' ? [] : ['gzip'])], async (encoding) =>
      expectRefused(
        await send(of, gzipSync('0'.repeat(5_000_000)), { 'content-encoding': encoding }),
        400,
        'content-encoding',
      ),
    ));

  it('text that cannot be stored', () =>
    forAll(['a\\u0000b', '\\ud800', '\\udc00\\ud800'], async (text) => {
      const poisoned = example.replace(/:("[^"]*"|true|false)/, () => `:"${text}"`);
      expectRefused(await send(of, poisoned), 400, /NUL or unpaired surrogates|must be|must match/);
    }));
});

describe.each(titled(CLOSED))('%s rejects', (_, of) => {
  it('an array instead of the object', async () =>
    expectRefused(await send(of, JSON.stringify([of.example])), 400, 'The body must be'));

  it('an array instead of any nested object', () =>
    forAll(objectsIn(of.example), async (path) => {
      for (const array of [[], [[]], [{}]]) {
        const body = structuredClone({ body: of.example }) as Record<string, any>;
        const parent = path.slice(0, -1).reduce((part, key) => part[key], body);
        parent[path.at(-1) as string] = array;
        expectRefused(await send(of, JSON.stringify(body.body)), 400, path[1] as string);
      }
    }));

  it.each([
    'nonsense',
    'id',
    'organizationId',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
  ])('an unknown property: %s', async (name) => {
    const body = `{${JSON.stringify(name)}:{"polluted":true},${JSON.stringify(of.example).slice(1)}`;
    expectRefused(await send(of, body), 400, name, 'is not a known property');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('unknown nested properties', async () => {
    const nested = JSON.stringify(of.example).replace(
      /(:\[?)\{"/,
      (_match, before) => `${before}{"__proto__":{"polluted":true},"`,
    );
    if (nested === JSON.stringify(of.example)) return;
    expectRefused(await send(of, nested), 400, '__proto__');
  });
});

describe('POST /timing-inbound/v1', () => {
  it('accepts unknown properties, without prototype pollution', async () => {
    const of = operation('ingestTiming');
    const [, ...rest] = JSON.stringify(of.example);
    const body = `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"more":1,${rest.join('')}`;
    expect((await send(of, body)).status).toBe(200);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
