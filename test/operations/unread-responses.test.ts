import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { booking, copiesOf, key, organization } from '#libs/testing';
import { Sending } from '#platform/http';
import { Shutdown } from '#platform/process';
import { Lists } from '#platform/queries';
import { signedIn } from '../console/console';
import { eventually, startApi, type TestApi } from '../harness';

const LIMIT = 1_000_000;
/** The answer of an entry: pages must be larger than what the operating system holds for a connection. */
const ANSWER = 20_000;
const ENTRIES = 1_500;
/** Of the text that an export has in memory. */
const GROUP = 1_000_000;

let api: TestApi;
let organizationId: string;
let token: string;
beforeAll(async () => {
  api = await startApi({ BODIES_LIMIT: String(LIMIT), REQUEST_TIMEOUT_MS: '8000', RATE_EXPORT: '1000' });
  ({ id: organizationId } = await organization(api.dataSource));
  token = (await key(api.dataSource, { organizationId })).token;
  const { entries } = await booking(api.dataSource, { organizationId });
  await api.dataSource.query(
    `INSERT INTO start_list_entries ${copiesOf(
      'e',
      `jsonb_build_object('id', uuid_v7(),
        'participant_id', uuid_v7(), 'application_id', uuid_v7(), 'fields', jsonb_build_array(jsonb_build_object('id', uuid_v7(),
        'key', 'note', 'label', 'Note', 'type', 'TEXT', 'value', repeat('x', $3::int))))`,
      'FROM start_list_entries e, generate_series(1, $4::int) WHERE e.organization_id = $1 AND e.id = $2',
    )}`,
    [organizationId, entries[0]?.id, ANSWER, ENTRIES],
  );
});
afterAll(() => api.close());

const unsent = () => api.app.get(Sending).unsent;

/** Sends a request, and reads nothing until it is resumed. */
function unread(path: string, headers: string[] = [], body?: string): Socket {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1').pause();
  const sent = headers.length ? headers : [`authorization: Bearer ${token}`];
  const length = body ? [`content-length: ${body.length}`] : [];
  const head = [
    `${body ? 'POST' : 'GET'} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: close',
    ...sent,
    ...length,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`);
  return socket;
}

/** What is left to read of a connection that was closed. */
async function rest(socket: Socket): Promise<Buffer> {
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece as Buffer)).on('error', () => {});
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(pieces);
}

const PAGE = '/v0/participants?page%5Bsize%5D=500';
const EXPORT = '/v0/participants/export?format=ndjson';

/** Protects the memory of the process: nothing is read from PostgreSQL that the client does not take. */
it('an export reads no further than its client, which is disconnected', async () => {
  const lists = api.app.get(Lists);
  const walk = lists.walk.bind(lists);
  const groups: number[] = [];
  const counted = jest.spyOn(lists, 'walk').mockImplementation(async function* (...asked) {
    for await (const group of walk(...asked)) {
      groups.push(group.join('').length);
      yield group;
    }
  });
  try {
    const socket = unread(EXPORT);
    await eventually(async () => groups.length > 0);
    await eventually(async () => api.app.get(Shutdown).requestsUnderWay === 0);
    expect(unsent().total).toBe(0);
    expect(groups.reduce((sum, length) => sum + length, 0)).toBeLessThan((ENTRIES * ANSWER) / 2);
    // Each group is in memory as a whole, so it is bounded, however large the items are.
    expect(Math.max(...groups)).toBeLessThan(GROUP);
    expect((await rest(socket)).includes('"end":true')).toBe(false);
  } finally {
    counted.mockRestore();
  }
});

it('large bodies do not wait for the client of an earlier one that does not read its response', async () => {
  const { browser } = await signedIn(api, 'MANAGER', undefined, organizationId);
  const { body: page } = await api.get(PAGE, token);
  const chosen = JSON.stringify({
    participantIds: page.data.map(({ participantId }: { participantId: string }) => participantId),
    format: 'ndjson',
  }).padEnd(20_000);
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = [
    ...['content-type: application/json', 'sec-fetch-site: same-origin'],
    ...[`cookie: ${cookie}`, `x-startline-organization: ${organizationId}`],
  ];
  const shutdown = api.app.get(Shutdown);
  const socket = unread('/console/v1/participants/export', headers, chosen);
  await eventually(async () => unsent().total > 0);
  const contacts = [{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' }];
  const large = JSON.stringify({ name: 'Large', contacts }).padEnd(20_000);
  expect((await api.send('POST', '/v0/partners', large, token)).status).toBe(200);
  expect(shutdown.requestsUnderWay).toBe(1);
  socket.destroy();
  await eventually(async () => shutdown.requestsUnderWay === 0);
});

it('lists are refused while responses are not read, for that organization only, and until it is disconnected', async () => {
  let most = 0;
  // More of them would wait for their turn.
  const sockets = [unread(PAGE), unread(PAGE), unread(PAGE)];
  const refused = await eventually(async () => {
    const { total } = unsent();
    most = Math.max(most, total);
    const answer = await api.get('/v0/participants?page%5Bsize%5D=1', token);
    return answer.status === 503 && answer;
  });
  expect([refused.headers.get('retry-after'), refused.body.message]).toEqual([
    '2',
    'Earlier responses for your organization have not been read. Read them or close their connections, then try again.',
  ]);
  expect((await api.get('/v0/participants')).status).toBe(200);
  expect((await api.get('/identity', token)).status).toBe(200);
  // Pages that were read meanwhile may exceed the limit: at most three at a time.
  expect(most).toBeLessThan(LIMIT + 3 * 500 * (ANSWER + 2_000));
  await eventually(async () => unsent().total === 0);
  expect((await api.get('/v0/participants?page%5Bsize%5D=1', token)).status).toBe(200);
  for (const socket of sockets) expect(await wholeBody(await rest(socket))).toBeUndefined();
});

/** The JSON of a list, if all of it has arrived. */
async function wholeBody(bytes: Buffer): Promise<unknown> {
  const text = bytes.toString();
  if (!text.startsWith('HTTP/1.1 200')) return undefined;
  try {
    return JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));
  } catch {
    return undefined;
  }
}

it('a client that reads slowly gets the whole page', async () => {
  const socket = unread(PAGE);
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => {
    pieces.push(piece as Buffer);
    socket.pause();
    setImmediate(() => socket.resume());
  });
  socket.resume();
  const body = await eventually(() => wholeBody(Buffer.concat(pieces)));
  expect((body as { data: unknown[] }).data).toHaveLength(500);
  socket.destroy();
});

it('compressed pages of megabytes are sent as they are compressed, and decode to the same text', async () => {
  const page = async (encoding: string) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encoding };
    const answer = await fetch(api.url + PAGE, { headers });
    return { encoding: answer.headers.get('content-encoding'), text: await answer.text() };
  };
  // One after the other: a page alone exceeds the limit until it is read.
  const plain = await page('identity');
  expect(plain.encoding).toBeNull();
  for (const encoding of ['br', 'gzip']) expect(await page(encoding)).toEqual({ encoding, text: plain.text });
});
