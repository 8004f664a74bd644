import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { key, organization } from '#libs/testing';
import { eventually, startApi, type TestApi } from '../harness';

const LIMIT = 20;

let api: TestApi;
let tokens: { loud: string; quiet: string };
let opened: Socket[] = [];
beforeAll(async () => {
  api = await startApi({ CONNECTIONS_LIMIT: String(LIMIT) });
  const tokenOf = async () => {
    const { id: organizationId } = await organization(api.dataSource);
    return (await key(api.dataSource, { organizationId })).token;
  };
  tokens = { loud: await tokenOf(), quiet: await tokenOf() };
});
afterEach(async () => {
  for (const socket of opened) socket.destroy();
  opened = [];
  await eventually(async () => (await connections()) === 0);
});
afterAll(() => api.close());

const connections = () =>
  new Promise<number>((resolve) =>
    api.app.getHttpServer().getConnections((_: unknown, n: number) => resolve(n)),
  );

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1').on('error', () => {});
  opened.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends a request, and waits for the response. */
async function ask(socket: Socket, token: string): Promise<string> {
  socket.write(`GET /identity HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
  const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => ['closed'])]);
  return String(answer).slice(0, 15);
}

/** A connection that was used by a key, and stays. */
async function used(token: string): Promise<Socket> {
  const socket = await open();
  expect(await ask(socket, token)).toBe('HTTP/1.1 200 OK');
  return socket;
}

/** A connection with a request whose body does not arrive. */
async function unfinished(token: string): Promise<Socket> {
  const socket = await used(token);
  socket.write(
    `POST /v0/partners HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
  );
  await eventually(async () => (await underWay()) > 0);
  return socket;
}

const underWay = async () => Number(/requests_under_way (\d+)/.exec(await metrics())?.[1]);
const metrics = async () => {
  const answer = await fetch(`${api.url}/metrics`, { headers: { connection: 'close' } });
  return answer.text();
};

const closed = (socket: Socket) => eventually(async () => socket.closed);

const many = async (count: number, one: () => Promise<Socket>) => {
  const sockets: Socket[] = [];
  while (sockets.length < count) sockets.push(await one());
  return sockets;
};

describe('above the limit of connections', () => {
  it('connections without a key are closed, those opened first before others, and clients with a key are served', async () => {
    const quiet = await used(tokens.quiet);
    const idle = await many(LIMIT + 5, open);
    for (const socket of idle.slice(0, 6)) await closed(socket);
    expect(await connections()).toBe(LIMIT);
    expect(await ask(quiet, tokens.quiet)).toBe('HTTP/1.1 200 OK');
    expect(await ask(await open(), tokens.quiet)).toBe('HTTP/1.1 200 OK');
  });

  it('connections of the organization with the most are closed, not those of others', async () => {
    const quiet = await many(3, () => used(tokens.quiet));
    const loud = await many(LIMIT - 3, () => used(tokens.loud));
    const more = await many(4, () => used(tokens.loud));
    for (const socket of loud.slice(0, 4)) await closed(socket);
    for (const socket of [...quiet, ...more]) expect(await ask(socket, tokens.loud)).toBe('HTTP/1.1 200 OK');
  });

  it('connections that are idle are closed before those with a request in progress', async () => {
    const busy = await unfinished(tokens.loud);
    const idle = await many(LIMIT - 1, () => used(tokens.loud));
    await used(tokens.quiet);
    await closed(idle[0] as Socket);
    expect(busy.closed).toBe(false);
  });

  it('requests in progress of the organization with the most give way, if it has no idle connections', async () => {
    const quiet = await used(tokens.quiet);
    const busy = await many(LIMIT - 1, () => unfinished(tokens.loud));
    expect(await ask(await open(), tokens.quiet)).toBe('HTTP/1.1 200 OK');
    await closed(busy[0] as Socket);
    expect(await ask(quiet, tokens.quiet)).toBe('HTTP/1.1 200 OK');
  });

  it('closed connections are counted', async () => {
    const counted = async () => Number(/connections_closed_total (\d+)/.exec(await metrics())?.[1]);
    const before = await counted();
    const idle = await many(LIMIT + 2, open);
    await closed(idle[1] as Socket);
    // Metrics are cached for a second.
    await eventually(async () => (await counted()) >= before + 2);
  });
});
