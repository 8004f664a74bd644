import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Retry, StartlineClient } from '#libs/client';

/** What the server does with requests, in order; then it serves a page with one item. */
type Turn = (answer: ServerResponse) => void;

let server: Server;
let baseUrl: string;
let turns: Turn[];
let paths: string[];
beforeAll(async () => {
  server = createServer((request, answer) => {
    paths.push(`${request.url}`);
    (turns.shift() ?? page)(answer);
  });
  await open();
});
beforeEach(() => {
  turns = [];
  paths = [];
});
afterAll(() => server.close());

async function open(port = 0) {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const says =
  (status: number, headers: Record<string, string> = {}, body: unknown = {}): Turn =>
  (answer) =>
    answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const page = says(
  200,
  {},
  { data: [{ id: 'a', updatedAt: '2026-01-01T00:00:00.000000Z' }], page: { next: '', last: 'c' } },
);
const breaksOff: Turn = (answer) => answer.destroy();
const cutsTheStream: Turn = (answer) => {
  answer.writeHead(200, { 'content-type': 'application/json' }).write('{"data":[', () => answer.destroy());
};
const endsEarly: Turn = (answer) => {
  answer.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"id":');
};
const pageOfAProxy: Turn = (answer) => {
  answer.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back soon</h1>');
};
const busy = { statusCode: 503, error: 'Service Unavailable', message: 'Later.' };

type Options = { signal?: AbortSignal; onRetry?: (retry: Retry) => void };
const client = (options = {}) => new StartlineClient({ baseUrl, token: 'a-token', ...options });
const FOLLOWERS: [name: string, follow: (options: Options, given?: StartlineClient) => AsyncGenerator][] = [
  ['changes()', (options, given = client()) => given.changes('/v0/participants', options)],
  ['changeEvents()', (options, given = client()) => given.changeEvents(options)],
];

/** Protects pollers: a broken connection or a busy server ends no loop, and skips no change. */
describe.each(FOLLOWERS)('%s', (_, follow) => {
  it.each<[string, Turn, object]>([
    [
      '503, after its retry-after',
      says(503, { 'retry-after': '0' }, busy),
      { waitMs: 0, error: { status: 503, message: 'Later.', retryAfter: 0 } },
    ],
    ['429', says(429, { 'retry-after': '0' }), { waitMs: 0, error: { status: 429 } }],
    ['502 of a proxy', says(502, { 'retry-after': '0' }), { error: { status: 502 } }],
    ['408', says(408, { 'retry-after': '0' }), { error: { status: 408 } }],
    ['a lost connection', breaksOff, { error: { name: 'TypeError' } }],
    ['a stream that is cut', cutsTheStream, { error: { name: 'TypeError' } }],
    ['a body that ends early', endsEarly, { error: { name: 'SyntaxError' } }],
    ['the page of a proxy', pageOfAProxy, { error: { name: 'SyntaxError' } }],
  ])('continues after %s, and tells', async (_, turn, expected) => {
    turns = [turn];
    const retries: Retry[] = [];
    const { value } = await follow({ onRetry: (retry) => retries.push(retry) }).next();
    expect(JSON.stringify(value)).toContain('"id":"a"');
    expect(retries).toEqual([
      {
        method: 'GET',
        url: baseUrl + paths[0],
        attempt: 1,
        waitMs: expect.any(Number),
        error: expect.anything(),
      },
    ]);
    expect(retries[0]).toMatchObject(expected);
    expect(paths).toEqual([paths[0], paths[0]]);
  });

  it('asks more often than other requests, and tells the onRetry of the client if it has none', async () => {
    turns = Array.from({ length: 20 }, () => says(503, { 'retry-after': '0' }));
    const attempts: number[] = [];
    const given = client({ tries: 2, onRetry: ({ attempt }: Retry) => attempts.push(attempt) });
    await follow({}, given).next();
    expect(attempts).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });

  it('waits for an API that is away until it is back, each time longer', async () => {
    const { port } = server.address() as AddressInfo;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    const retries: Retry[] = [];
    const first = follow({
      onRetry: (retry) => {
        retries.push(retry);
        if (retries.length === 3) void open(port);
      },
    }).next();
    expect(JSON.stringify(await first)).toContain('"id":"a"');
    expect(retries.slice(0, 3).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    const [one, two, three] = retries.map(({ waitMs }) => waitMs) as [number, number, number];
    expect([one < two, two < three]).toEqual([true, true]);
    expect(retries.map(({ error }) => error.message)).toEqual(retries.map(() => 'fetch failed'));
  });

  it('accepts any retry-after, and ends with the reason of its signal while it waits', async () => {
    turns = [says(503, { 'retry-after': '86400' })];
    const leaving = new AbortController();
    const following = follow({
      signal: leaving.signal,
      onRetry: ({ waitMs }) => {
        expect(waitMs).toBe(86_400_000);
        setImmediate(() => leaving.abort(new Error('closing time')));
      },
    }).next();
    await expect(following).rejects.toThrow('closing time');
  });

  it.each([400, 401, 403, 404])('ends with a %i, which no wait can heal', async (status) => {
    turns = [says(status)];
    await expect(follow({ onRetry: () => expect(status).toBe(0) }).next()).rejects.toMatchObject({ status });
    expect(paths).toHaveLength(1);
  });
});

it('never waits much longer than half a minute without a retry-after', async () => {
  const waits: number[] = [];
  const leaving = new AbortController();
  const given = client({
    fetch: async () =>
      Response.json({}, { status: 500, headers: waits.length > 40 ? {} : { 'retry-after': '0' } }),
  });
  const following = given
    .changes('/v0/partners', {
      signal: leaving.signal,
      onRetry: ({ waitMs }) => {
        waits.push(waitMs);
        if (waits.length > 41) setImmediate(() => leaving.abort(new Error('closing time')));
      },
    })
    .next();
  await expect(following).rejects.toThrow('closing time');
  expect(waits.at(-1)).toBeGreaterThan(20_000);
  expect(waits.at(-1)).toBeLessThan(40_000);
});
