import { request } from 'node:http';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { eventually, startApi, type TestApi } from '../harness';

/** Bodies of several hundred kilobytes and more, which are read, checked and stored in pieces. */
let api: TestApi;
beforeAll(async () => {
  // Few connections, so that a body would find leftovers of the previous one.
  api = await startApi({ API_POOL_SIZE: '2' });
});
afterAll(() => api.close());

const PATH = '/v0/credits/import';
/** Characters of one to four bytes, so that pieces end within characters. */
const credits = (batch: string, rows = 6_000) =>
  Array.from({ length: rows }, (_, i) => ({
    externalCreditId: `${batch}-${'aé€🏃'.repeat(8)}-${i}`,
    email: `runner-${i}@example.com`,
    amount: { value: 100 + i, currencyCode: 'GBP' },
  }));

const stored = async (jobId: string) =>
  (
    await api.dataSource.query('SELECT payload FROM import_rows WHERE job_id = $1 ORDER BY row_number', [
      jobId,
    ])
  ).map(({ payload }: { payload: object }) => payload);

/** Protects what was sent: pieces of a body can end within a character or a number. */
it('rows are stored as they were sent, sequentially and concurrently', async () => {
  for (const round of ['first', 'second']) {
    const batches = ['a', 'b', 'c'].map((name) => credits(`${round}-${name}`));
    const answers = await Promise.all(batches.map((rows) => api.send('POST', PATH, { credits: rows })));
    for (const [i, { status, body }] of answers.entries()) {
      expect(status).toBe(200);
      expect(await stored(body.jobId)).toEqual(batches[i]);
    }
  }
});

it('may start with a byte order mark', async () => {
  const rows = credits('marked');
  const { status, body } = await api.send('POST', PATH, `\ufeff${JSON.stringify({ credits: rows })}`);
  expect(status).toBe(200);
  expect(await stored(body.jobId)).toEqual(rows);
});

it('do not delay small imports while they are checked', async () => {
  const threads = jest.spyOn(Worker.prototype, 'postMessage').mockImplementation(() => {});
  // Nothing that the checking thread gets is answered.
  const large = streamed([Buffer.from(JSON.stringify({ credits: credits('large') }))], {});
  await eventually(async () => threads.mock.calls.length > 0);
  expect((await api.send('POST', PATH, { credits: credits('small', 3) })).status).toBe(200);
  expect(threads).toHaveBeenCalledTimes(1);
  const [[request, transferred]] = threads.mock.calls as [[unknown, ArrayBuffer[]]];
  const [thread] = threads.mock.contexts as [Worker];
  threads.mockRestore();
  thread.postMessage(request, transferred);
  expect((await large).status).toBe(200);
});

const streamed = (pieces: Iterable<Buffer>, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const sent = request(
      api.url + PATH,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json', ...headers },
      },
      (answer) => {
        let text = '';
        answer.on('data', (more) => {
          text += more;
        });
        answer.on('end', () => resolve({ status: answer.statusCode, text }));
      },
    ).on('error', reject);
    for (const piece of pieces) sent.write(piece);
    sent.end();
  });

function* piecesOf(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

it('may be sent with or without Content-Length, in pieces of any size', async () => {
  for (const [name, size, measured] of [
    ['short', 1_013, true],
    ['long', 300_007, true],
    ['unmeasured', 70_001, false],
  ] as const) {
    const rows = credits(name);
    const bytes = Buffer.from(JSON.stringify({ credits: rows }));
    const answer = await streamed(
      piecesOf(bytes, size),
      measured ? { 'content-length': String(bytes.length) } : { 'transfer-encoding': 'chunked' },
    );
    expect(answer.status).toBe(200);
    expect(await stored(JSON.parse(answer.text).jobId)).toEqual(rows);
  }
});

it('store nothing if they end early or contain text that cannot be stored', async () => {
  const jobs = () => api.dataSource.query('SELECT count(*)::int AS n FROM import_jobs');
  const before = await jobs();
  const bytes = Buffer.from(JSON.stringify({ credits: credits('broken') }));
  const cut = request(api.url + PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.token}`, 'content-length': bytes.length },
  });
  await new Promise((resolve) =>
    cut.on('error', resolve).write(bytes.subarray(0, 400_000), () => cut.destroy()),
  );
  const rows = credits('wrong').map((row) => ({ ...row, amount: { value: 1, currencyCode: 'XXXX' } }));
  expect((await api.send('POST', PATH, { credits: rows })).status).toBe(400);
  expect(await jobs()).toEqual(before);
  expect((await api.send('POST', PATH, { credits: credits('broken') })).status).toBe(200);
});

describe('compressed by gzip', () => {
  const GZIP = { 'content-encoding': 'gzip' };
  const errorOf = ({ status, text }: { status: number | undefined; text: string }) => [
    status,
    JSON.parse(text).message,
  ];

  it('are stored as they were before the compression', async () => {
    const rows = credits('gzip');
    const bytes = gzipSync(JSON.stringify({ credits: rows }));
    const { status, text } = await streamed(piecesOf(bytes, 10_007), GZIP);
    expect(status).toBe(200);
    expect(await stored(JSON.parse(text).jobId)).toEqual(rows);
  });

  it('return 413 once they exceed the limit, however small they are', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, ' '));
    expect(bomb.length).toBeLessThan(250_000);
    const [status, message] = errorOf(await streamed([bomb], GZIP));
    expect([status, message]).toEqual([413, expect.stringContaining('20971520 bytes')]);
  });

  it.each([
    ['end early', (bytes: Buffer) => bytes.subarray(0, -20)],
    [
      'are damaged',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 500), Buffer.alloc(500, 1), bytes.subarray(1_000)]),
    ],
    ['are not gzip', () => Buffer.from('{"credits":[]}')],
    ['are empty', () => Buffer.alloc(0)],
  ])('return 400 if they %s', async (_, change) => {
    const bytes = change(gzipSync(JSON.stringify({ credits: credits('damaged') })));
    expect(errorOf(await streamed([bytes], GZIP))).toEqual([400, expect.stringMatching(/gzip/)]);
  });

  it('release their memory when the client disconnects', async () => {
    const bytes = gzipSync(JSON.stringify({ credits: credits('gone') }));
    for (let i = 0; i < 20; i++) {
      const sent = request(api.url + PATH, {
        method: 'POST',
        headers: { authorization: `Bearer ${api.token}`, 'content-length': bytes.length, ...GZIP },
      });
      await new Promise((resolve) =>
        sent.on('error', resolve).write(bytes.subarray(0, -9), () => sent.destroy()),
      );
    }
    const { status } = await streamed([bytes], { 'content-length': String(bytes.length), ...GZIP });
    expect(status).toBe(200);
  });
});
