import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { newRedis } from './new-redis';

type Answer = (words: string[], socket: Socket) => unknown;

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A server that speaks the protocol of Redis; returns its port. */
async function server(answer: Answer): Promise<number> {
  const own = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      for (const command of String(data)
        .split(/\*\d+\r\n/)
        .slice(1))
        answer(
          command.split('\r\n').filter((_, at) => at % 2 === 1),
          socket,
        );
    });
  }).listen(0, '127.0.0.1');
  servers.push(own);
  await once(own, 'listening');
  return (own.address() as AddressInfo).port;
}

const array = (words: string[]) =>
  `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`;

it('connects to the master that sentinels announce while it asks them for the master', async () => {
  const masters = new Set<Socket>();
  const master = await server(([name = ''], socket) => {
    masters.add(socket);
    const info = '# Replication\r\nrole:master\r\n';
    socket.write(/info/i.test(name) ? `$${info.length}\r\n${info}\r\n` : '+OK\r\n');
  });
  let asked = 0;
  let subscribed = (_: Socket) => {};
  const listener = new Promise<Socket>((resolve) => {
    subscribed = resolve;
  });
  const sentinel = await server(async ([name = '', what = ''], socket) => {
    if (/subscribe/i.test(name)) {
      socket.write('*3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n');
      subscribed(socket);
    } else if (/get-master/i.test(what)) {
      asked += 1;
      if (asked === 2) {
        // The announcement comes before the response: the client stops listening, and still waits for this.
        (await listener).write(array(['message', '+switch-master', 'main']));
        await once(await listener, 'close');
      }
      socket.write(array(['127.0.0.1', String(master)]));
    } else socket.write(/sentinel/i.test(name) ? '*0\r\n' : '+OK\r\n');
  });
  const redis = newRedis({
    sentinels: [{ host: '127.0.0.1', port: sentinel }],
    name: 'main',
    failoverDetector: true,
    retryStrategy: () => 50,
  });
  redis.on('error', () => {});
  try {
    await once(redis, 'ready');
    await listener;
    for (const socket of masters) socket.destroy();
    await once(redis, 'ready');
    expect(asked).toBe(2);
  } finally {
    redis.disconnect();
  }
  await once(redis, 'end');
});
