import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';

export interface TestRedis {
  url: string;
  /** Ends it at once, with all it holds. */
  stop(): Promise<void>;
  /** Starts it again, empty, at the same address. */
  start(): Promise<void>;
}

/** `describe`, or `describe.skip` on a machine without a `redis-server` on the PATH: Jest then counts it as skipped. */
export const describeWithRedis = (): jest.Describe =>
  spawnSync('redis-server', ['--version']).status === 0 ? describe : describe.skip;

/** A Redis of the test's own, which keeps nothing on disk. */
export async function testRedis(): Promise<TestRedis> {
  const port = await freePort();
  let server: ChildProcess | undefined;
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
        stdio: 'ignore',
      });
      await once(server, 'spawn');
      await untilReady(redis.url);
    },
    stop: async () => {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
    },
  };
  await redis.start();
  return redis;
}

async function untilReady(url: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 20 });
  client.on('error', () => {});
  await client.ping();
  client.disconnect();
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}
