import { execFile, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { key, organization } from '#libs/testing';
import { startApi, type TestApi } from '../harness';

/** Clients that write their whole body before they read get the refusal of it. */
const LIMIT = 1_000_000;
/** More than the buffers of a connection hold. */
const BODY = Buffer.alloc(24_000_000, ' ');
const PATH = '/v0/credits/import';
const TOO_LARGE = `The body must not be larger than ${LIMIT} bytes. Send the rows in several batches.`;

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ IMPORT_BODY_LIMIT: String(LIMIT) });
});
afterAll(() => api.close());

const headers = (token = api.token) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

const pieces = async function* (bytes = BODY, size = 500_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};

const answerOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { message: string }).message,
];

it('fetch, with and without a length', async () => {
  const request = { method: 'POST', headers: headers() };
  for (let i = 0; i < 3; i++)
    expect(await answerOf(await fetch(api.url + PATH, { ...request, body: BODY }))).toEqual([413, TOO_LARGE]);
  const body = Readable.toWeb(Readable.from(pieces())) as never;
  expect(await answerOf(await fetch(api.url + PATH, { ...request, body, duplex: 'half' } as never))).toEqual([
    413,
    TOO_LARGE,
  ]);
});

it('a client that is refused for another reason', async () => {
  const { id: organizationId } = await organization(api.dataSource);
  const { token } = await key(api.dataSource, { organizationId, kind: 'MARKETPLACE' });
  const response = await fetch(api.url + PATH, { method: 'POST', headers: headers(token), body: BODY });
  expect(response.status).toBe(403);
});

/** Writes all bytes before it reads; resolves with what it received when the connection is closed. */
const written = (bytes: () => AsyncIterable<Buffer>, length: number) =>
  new Promise<{ text: string; sent: number; error?: Error }>((resolve) => {
    let [text, sent] = ['', 0];
    let error: Error | undefined;
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.pause();
    socket.on('error', (thrown) => {
      error = thrown;
    });
    socket.on('close', () => resolve({ text, sent, error }));
    const write = (piece: Buffer | string) =>
      new Promise<void>((done) => {
        if (socket.destroyed) done();
        else socket.write(piece, () => done());
      });
    const send = async () => {
      const lines = [
        `POST ${PATH} HTTP/1.1`,
        'host: api',
        `authorization: Bearer ${api.token}`,
        `content-length: ${length}`,
      ];
      await write(`${lines.join('\r\n')}\r\n\r\n`);
      for await (const piece of bytes()) {
        if (socket.destroyed) break;
        await write(piece);
        sent += piece.length;
      }
      socket.on('data', (more) => {
        text += more;
      });
      socket.resume();
    };
    void send();
  });

it('a socket', async () => {
  const { text, error } = await written(pieces, BODY.length);
  expect(error).toBeUndefined();
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(text).toContain(TOO_LARGE);
  expect(text).toMatch(/^connection: close\r$/im);
});

it('but what is read has an end', async () => {
  const endless = async function* () {
    for (let i = 0; i < 400; i++) yield* pieces(BODY.subarray(0, 1_000_000));
  };
  const { sent } = await written(endless, 400_000_000);
  expect(sent).toBeGreaterThan(60_000_000);
  expect(sent).toBeLessThan(200_000_000);
});

it('a client that stops is not waited for', async () => {
  const { text } = await written(() => pieces(BODY.subarray(0, 2_000_000)), BODY.length);
  expect(text).toContain(TOO_LARGE);
});

const python = spawnSync('python3', ['--version']).status === 0 ? it : it.skip;
python('http.client and urllib of Python', async () => {
  const program = `
import http.client, json, sys, urllib.error, urllib.request
host, port, path, token = sys.argv[1:]
headers = {'Authorization': 'Bearer ' + token, 'Content-Type': 'application/json'}
body = b' ' * ${BODY.length}
connection = http.client.HTTPConnection(host, int(port))
connection.request('POST', path, body, headers)
response = connection.getresponse()
print(response.status, json.loads(response.read())['message'])
try:
    urllib.request.urlopen(urllib.request.Request('http://%s:%s%s' % (host, port, path), body, headers))
except urllib.error.HTTPError as error:
    print(error.code, json.loads(error.read())['message'])
`;
  const { hostname, port } = new URL(api.url);
  const { stdout } = await promisify(execFile)('python3', ['-c', program, hostname, port, PATH, api.token]);
  expect(stdout).toBe(`413 ${TOO_LARGE}\n`.repeat(2));
});
