import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../harness';

export interface Order {
  name: string;
  command: string[];
  folder: string;
  environment: Record<string, string>;
  uid?: number;
}

/** A process as in production. */
export class Running {
  private said = '';
  private readonly child: ChildProcess;
  /** Its exit code. */
  readonly ended: Promise<number | null>;

  constructor(private readonly order: Order) {
    const [program = '', ...words] = order.command;
    this.child = spawn(program === 'node' ? process.execPath : program, words, {
      cwd: order.folder,
      env: { PATH: process.env.PATH, ...order.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(order.uid && { uid: order.uid, gid: order.uid }),
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (bytes) => {
        this.said += bytes;
      });
    this.ended = once(this.child, 'close').then(([code]) => code as number | null);
  }

  /** Resolves when GET /health/ready at that port returns 200. */
  async ready(port: number): Promise<this> {
    await eventually(async () => {
      if (this.child.exitCode !== null) throw new Error(`${this.order.name} ended: ${this.said}`);
      return isReady(port);
    });
    return this;
  }

  /** Its output on both streams. */
  get words(): string {
    return this.said;
  }

  /** Stops it with SIGTERM. @returns the exit code */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.ended;
  }
}

export const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    (answer) => answer.text().then(() => answer.ok),
    () => false,
  );
