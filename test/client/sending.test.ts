import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import timers from 'node:timers/promises';
import { StartlineClient, StartlineError } from '#libs/client';

/** The reactions of the server to requests, in order. */
type Turn = (answer: ServerResponse) => void;
interface Seen {
  method: string | undefined;
  path: string | undefined;
  key: string | string[] | undefined;
  body: string;
}

let server: Server;
let baseUrl: string;
let turns: Turn[];
let seen: Seen[];
beforeAll(async () => {
  server = createServer(async (request: IncomingMessage, answer) => {
    const { method, url: path, headers } = request;
    seen.push({ method, path, key: headers['idempotency-key'], body: await text(request) });
    (turns.shift() ?? done)(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
beforeEach(() => {
  turns = [];
  seen = [];
});
afterAll(() => server.close());

const says =
  (status: number, headers: Record<string, string> = {}, body: unknown = {}): Turn =>
  (answer) =>
    answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const done = says(200, {}, { jobId: 'a-job' });
const breaksOff: Turn = (answer) => answer.destroy();
const breaksOffInTheBody: Turn = (answer) => {
  answer.writeHead(200, { 'content-length': '100' }).write('{', () => answer.destroy());
};

const client = (options = {}) => new StartlineClient({ baseUrl, token: 'a-token', ...options });
const read = (given = client()) => given.get('/identity');
const importCredits = (given = client()) => given.post('/v0/credits/import', { body: { credits: [] } });
const createPartner = (given = client()) =>
  given.post('/v0/partners', { body: { name: 'Partner', type: 'CHARITY', contacts: [] } });
const changePartner = (given = client()) =>
  given.patch('/v0/partners/{id}', { params: { path: { id: 'x' } }, body: { name: 'Other' } });
const writeCatalogue = (given = client()) => given.put('/v0/catalogue', { body: { records: [] } });

/** Protects imports from being sent twice, and a busy server from clients that do not wait. */
describe('retries', () => {
  it.each([
    ['a read', read],
    ['an import', importCredits],
    ['an operation that must not be done twice', createPartner],
  ])('%s after a 429, when retry-after has passed', async (_, ask) => {
    turns = [says(429, { 'retry-after': '1' })];
    const waits: unknown[] = [];
    const clock = jest.spyOn(timers, 'setTimeout').mockImplementation(async (ms) => {
      waits.push({ ms, sent: seen.length });
      return undefined as never;
    });
    await ask().finally(() => clock.mockRestore());
    expect(waits).toEqual([{ ms: 1_000, sent: 1 }]);
    expect(seen).toHaveLength(2);
    expect(seen[1]?.body).toBe(seen[0]?.body);
  });

  it.each([
    ['503', says(503, { 'retry-after': '0' })],
    ['500', says(500, { 'retry-after': '0' })],
    ['no response', breaksOff],
    ['a partial response', breaksOffInTheBody],
  ])('reads and imports after %s', async (_, turn) => {
    turns = [turn];
    await read();
    turns = [turn];
    await importCredits();
    expect(seen.map(({ path }) => path)).toEqual([
      '/identity',
      '/identity',
      '/v0/credits/import',
      '/v0/credits/import',
    ]);
  });

  it('an import under the same Idempotency-Key, and uses another key for the next import', async () => {
    turns = [breaksOff];
    await importCredits();
    await importCredits();
    const [first, again, next] = seen.map(({ key }) => key);
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(again).toBe(first);
    expect(next).not.toBe(first);
  });

  it.each([
    ['503', says(503, { 'retry-after': '0' })],
    ['no response', breaksOff],
  ])('each write under one key, after %s', async (_, turn) => {
    for (const ask of [createPartner, changePartner, writeCatalogue]) {
      turns = [turn];
      await ask();
    }
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'PATCH', 'PATCH', 'PUT', 'PUT']);
    const keys = seen.map(({ key }) => key);
    expect(keys.filter((_, at) => at % 2)).toEqual(keys.filter((_, at) => at % 2 === 0));
    expect(new Set(keys).size).toBe(3);
  });

  it('under a key that the caller gives', async () => {
    turns = [says(429, { 'retry-after': '0' })];
    await client().post('/v0/credits/import', {
      params: { header: { 'Idempotency-Key': 'monday' } },
      body: { credits: [] },
    });
    expect(seen.map(({ key }) => key)).toEqual(['monday', 'monday']);
  });
});

describe('does not retry', () => {
  it.each([400, 401, 403, 404, 413])('responses with status %i', async (status) => {
    turns = [says(status)];
    await expect(read()).rejects.toMatchObject({ status });
    expect(seen).toHaveLength(1);
  });

  it('more often than configured', async () => {
    turns = Array.from({ length: 9 }, () => says(429, { 'retry-after': '0' }));
    await expect(read()).rejects.toMatchObject({ status: 429 });
    expect(seen).toHaveLength(6);
    await expect(read(client({ tries: 1 }))).rejects.toMatchObject({ status: 429 });
    expect(seen).toHaveLength(7);
  });

  it('if the wait would be longer than allowed, and reports the wait', async () => {
    turns = [says(429, { 'retry-after': '121' })];
    await expect(read()).rejects.toMatchObject({ status: 429, retryAfter: 121 });
    turns = [says(503, { 'retry-after': '2' })];
    await expect(read(client({ longestWaitSeconds: 1 }))).rejects.toMatchObject({ retryAfter: 2 });
  });
});

describe('ends at once on its signal', () => {
  it('while it waits to retry', async () => {
    const leaving = new AbortController();
    turns = [
      (answer) => {
        says(429, { 'retry-after': '60' })(answer);
        answer.on('close', () => leaving.abort(new Error('closing time')));
      },
    ];
    await expect(client().get('/identity', { signal: leaving.signal })).rejects.toThrow('closing time');
    expect(seen).toHaveLength(1);
  });

  it('while it waits for a response', async () => {
    const leaving = new AbortController();
    turns = [
      (answer) => {
        leaving.abort(new Error('closing time'));
        answer.destroy();
      },
    ];
    await expect(client().get('/identity', { signal: leaving.signal })).rejects.toThrow('closing time');
    expect(seen).toHaveLength(1);
  });
});

describe('StartlineError', () => {
  it('carries the details of the response', async () => {
    const body = { statusCode: 403, error: 'Forbidden', message: 'Not for you.' };
    turns = [says(403, { 'x-request-id': 'request-7' }, body)];
    const error = await read().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(StartlineError);
    expect(error).toMatchObject({
      name: 'StartlineError',
      status: 403,
      code: 'Forbidden',
      message: 'Not for you.',
      requestId: 'request-7',
      retryAfter: undefined,
    });
  });

  it('can be created from the response of a proxy', async () => {
    turns = [(answer) => answer.writeHead(413, { 'content-type': 'text/html' }).end('<h1>Too large</h1>')];
    const message = 'The server responded with 413 Payload Too Large';
    await expect(importCredits()).rejects.toMatchObject({ status: 413, code: 'Payload Too Large', message });
  });

  it('has no time to wait if retry-after is a date', async () => {
    turns = [says(403, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' })];
    await expect(read()).rejects.toMatchObject({ retryAfter: undefined });
  });

  it('is the error of fetch if the server is unreachable', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const nobody = client({ baseUrl: `http://127.0.0.1:${port}`, tries: 1 });
    await expect(nobody.get('/identity')).rejects.toMatchObject({
      name: 'TypeError',
      cause: { code: 'ECONNREFUSED' },
    });
  });
});
