import { Agent, request } from 'node:http';
import { pace } from '../harness';
import { isReady } from './running';

const CHECK_EVERY_MS = 100;
const UNHEALTHY_AFTER = 2;

export interface Reply {
  status: number;
  body: string;
}

/**
 * Balances requests over ports in turn, like a load balancer in front of the APIs. Keeps and reuses connections.
 * Requests /health/ready from each API every 100 ms and sends nothing new to one that was not ready twice in a row. A
 * request whose connection was refused is sent to the other one; of requests whose connection broke, only a GET is.
 * Nothing else is retried.
 */
export class Balancer {
  private readonly agent = new Agent({ keepAlive: true, scheduling: 'fifo' });
  /** Ports that accept requests. */
  readonly able = new Set<number>();
  private readonly checking: Promise<void>[];
  private stopped = false;
  private turn = 0;

  constructor(private readonly ports: number[]) {
    this.checking = ports.map((port) => this.check(port));
  }

  async ask(
    method: string,
    path: string,
    token: string,
    body?: unknown,
    ports = this.inTurn(),
  ): Promise<Reply> {
    const [port, ...others] = ports;
    if (!port) throw new Error('No api takes requests');
    try {
      return await this.send(port, method, path, token, body);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!others.length || (code !== 'ECONNREFUSED' && method !== 'GET')) throw error;
      return this.ask(method, path, token, body, others);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.checking);
    this.agent.destroy();
  }

  private inTurn(): number[] {
    this.turn += 1;
    const able = this.ports.filter((port) => this.able.has(port));
    const first = this.turn % Math.max(1, able.length);
    return [...able.slice(first), ...able.slice(0, first)];
  }

  private async check(port: number): Promise<void> {
    let failures = 0;
    while (!this.stopped) {
      failures = (await isReady(port)) ? 0 : failures + 1;
      if (failures === 0) this.able.add(port);
      else if (failures === UNHEALTHY_AFTER) this.able.delete(port);
      await pace(CHECK_EVERY_MS);
    }
  }

  private send(port: number, method: string, path: string, token: string, body?: unknown): Promise<Reply> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
      };
      request({ host: '127.0.0.1', port, agent: this.agent, method, path, headers }, async (answer) => {
        try {
          let got = '';
          for await (const bytes of answer) got += bytes;
          resolve({ status: answer.statusCode ?? 0, body: got });
        } catch (error) {
          reject(error);
        }
      })
        .on('error', reject)
        .end(text);
    });
  }
}
