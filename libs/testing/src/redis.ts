import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { endWithUs } from './end-with-us';
import { freePort } from './free-port';

export interface TestRedis {
  url: string;
  /** Releases it. */
  stop(): Promise<void>;
}

/** An unshared server. */
export interface OwnRedis extends TestRedis {
  /** Ends it immediately, with its data. */
  stop(): Promise<void>;
  /** Starts it again, empty, at the same address. */
  start(): Promise<void>;
}

const isInstalled = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

/** `describe`; without REDIS_URL and a `redis-server` on the PATH, a skip, which Jest reports. */
export const describeWithRedis = (): jest.Describe =>
  process.env.REDIS_URL || isInstalled() ? describe : describe.skip;

/** The same for tests that stop Redis, which cannot use REDIS_URL. */
export const describeWithOwnRedis = (): jest.Describe => (isInstalled() ? describe : describe.skip);

/** The Redis of REDIS_URL, which is shared; otherwise a new, empty one. */
export const testRedis = async (): Promise<TestRedis> =>
  process.env.REDIS_URL ? { url: process.env.REDIS_URL, stop: async () => {} } : ownRedis();

/** Stores nothing on disk, and ends with the tests even if they are killed. */
export async function ownRedis(): Promise<OwnRedis> {
  const port = await freePort();
  let server: ChildProcess | undefined;
  let release = () => {};
  const redis: OwnRedis = {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
        stdio: 'ignore',
      });
      await once(server, 'spawn');
      release = endWithUs(server.pid as number);
      await untilReady(redis.url);
    },
    stop: async () => {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
      release();
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
