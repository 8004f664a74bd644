import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { eventually } from '../harness';

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** Undefined if the path has no secret. */
  verified?: boolean;
  /** The response of `/asked`. */
  status?: number;
  /** The id of the connection. */
  port: number;
}

/** The status with which a receiver accepts a webhook. */
export const ACCEPTED = 204;

/** A third-party server. */
export class Receiver {
  readonly received: Received[] = [];

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    child.on('message', (message: Received) => this.received.push(message));
  }

  static async start(): Promise<Receiver> {
    const child = fork(resolve(__dirname, 'receiver-process.ts'), {
      execArgv: ['-C', 'source', '-r', '@swc-node/register'],
      cwd: resolve(__dirname, '../..'),
    });
    const [{ listening }] = (await once(child, 'message')) as [{ listening: number }];
    return new Receiver(child, `http://127.0.0.1:${listening}`);
  }

  /** The requests to a path; waits until there are this many. */
  async got(path: string, count = 1): Promise<Received[]> {
    return eventually(async () => {
      const found = this.of(path);
      return found.length >= count && found;
    });
  }

  of(path: string): Received[] {
    return this.received.filter((each) => each.path === path);
  }

  /** Calls back with each request. */
  tells(heard: (message: Received) => void): void {
    this.child.on('message', heard);
  }

  /** Sets the response of `/asked`. */
  answer(status: number): void {
    this.child.send(status);
  }

  async stop(): Promise<void> {
    this.child.disconnect();
    await once(this.child, 'exit');
  }
}

export const WEBHOOK_SECRETS_KEY = 'test:8f2c6b0a9d417e35c8b1f6029ad3e47b5f80c1d2936a4be7082d5c9fe16a3b74';
