import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#libs/testing';
import { endWithUs } from '../../libs/testing/src/end-with-us';
import { eventually } from '../harness';

const NAME = 'startline-test';
const SENTINELS = 3;
const QUORUM = 2;

class Server {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly release: () => void,
  ) {}

  static async start(port: number, ...words: string[]): Promise<Server> {
    const child = spawn('redis-server', words, { stdio: 'ignore' });
    await once(child, 'spawn');
    const server = new Server(port, child, endWithUs(child.pid as number));
    await eventually(async () => (await server.ask('PING').catch(() => '')) === 'PONG');
    return server;
  }

  /** One command on a new connection. */
  async ask(command: string, ...words: string[]): Promise<unknown> {
    const client = new Redis(this.port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.call(command, ...words);
    } finally {
      client.disconnect();
    }
  }

  /** Undefined if it closes the connection, as it does when its role changes. */
  async isMaster(): Promise<boolean | undefined> {
    const role = (await this.ask('ROLE').catch(() => undefined)) as string[] | undefined;
    return role && role[0] === 'master';
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(name);
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
    this.release();
  }
}

/** A master, a replica and three sentinels: real processes. */
export class SentinelRedis {
  private readonly home = mkdtempSync(join(tmpdir(), 'startline-sentinel-'));
  master: Server;
  replica: Server;
  private sentinels: Server[] = [];

  static async start(): Promise<SentinelRedis> {
    const own = new SentinelRedis();
    const [first, second] = [await freePort(), await freePort()];
    own.master = await own.redis(first);
    own.replica = await own.redis(second, '--replicaof', '127.0.0.1', String(first));
    await eventually(async () => ((await own.replica.ask('ROLE')) as string[])[3] === 'connected');
    for (let i = 0; i < SENTINELS; i++) own.sentinels.push(await own.sentinel(first));
    // A sentinel learns of the replica and of the other sentinels from the master.
    for (const sentinel of own.sentinels) {
      await eventually(async () => {
        const [replicas, others] = (await Promise.all([
          sentinel.ask('SENTINEL', 'REPLICAS', NAME),
          sentinel.ask('SENTINEL', 'SENTINELS', NAME),
        ])) as unknown[][];
        return replicas?.length === 1 && others?.length === SENTINELS - 1;
      });
    }
    return own;
  }

  get settings(): Record<string, string> {
    return {
      REDIS_URL: 'redis://127.0.0.1',
      REDIS_SENTINELS: this.sentinels.map(({ port }) => `127.0.0.1:${port}`).join(','),
      REDIS_SENTINEL_NAME: NAME,
    };
  }

  async stop(): Promise<void> {
    for (const server of [...this.sentinels, this.replica, this.master]) await server?.kill();
    rmSync(this.home, { recursive: true, force: true });
  }

  private redis(port: number, ...words: string[]): Promise<Server> {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', this.home];
    return Server.start(port, ...options, '--repl-diskless-sync-delay', '0', ...words);
  }

  private async sentinel(master: number): Promise<Server> {
    const port = await freePort();
    const file = join(this.home, `${port}.conf`);
    const lines = [
      `port ${port}`,
      'bind 127.0.0.1',
      `sentinel monitor ${NAME} 127.0.0.1 ${master} ${QUORUM}`,
      `sentinel down-after-milliseconds ${NAME} 1000`,
      `sentinel failover-timeout ${NAME} 5000`,
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    return Server.start(port, file, '--sentinel');
  }
}
