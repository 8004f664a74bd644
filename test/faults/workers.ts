import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { SIGNING_SECRETS, sharedSettings } from '#libs/testing';
import { appUrlOf } from '#platform/database';
import { eventually } from '../harness';

/** A process as in production. `pretest` has built it. */
export class Program {
  private constructor(
    readonly child: ChildProcess,
    private readonly out: () => string,
  ) {}

  static async start(app: 'api' | 'worker', environment: Record<string, string>): Promise<Program> {
    const child = spawn(process.execPath, [`dist/apps/${app}/src/main.js`], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
        ...sharedSettings(),
        ...environment,
        DATABASE_URL: appUrlOf(environment.DATABASE_URL ?? ''),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (bytes) => {
        out += bytes;
      });
    }
    const program = new Program(child, () => out);
    try {
      await eventually(async () => {
        if (!program.isAlive) throw new Error(`The ${app} did not start: ${out}`);
        return out.includes('"started"');
      });
    } catch (error) {
      await program.kill();
      throw error;
    }
    return program;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The log output. */
  get log(): string {
    return this.out();
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(name);
  }

  async kill(): Promise<void> {
    if (!this.isAlive) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

/** Chunks of 20 rows, and what makes a worker soon continue what another one had. */
export const SMALL_CHUNKS = {
  STARTLINE_TEST_IMPORT_CHUNK_ROWS: '20',
  STARTLINE_TEST_IMPORT_CHUNK_MS: '600000',
  STARTLINE_TEST_SWEEP_MS: '500',
  STARTLINE_TEST_SILENT_MS: '10000',
};

/** Worker processes, as many as a test asks for. */
export class Fleet {
  private programs: Program[] = [];

  constructor(private readonly environment: Record<string, string>) {}

  /** The number of running workers. */
  async workers(count: number): Promise<Program[]> {
    this.programs = this.programs.filter(({ isAlive }) => isAlive);
    const missing = Array.from({ length: Math.max(0, count - this.programs.length) }, () =>
      Program.start('worker', this.environment),
    );
    this.programs.push(...(await Promise.all(missing)));
    await Promise.all(this.programs.splice(count).map((program) => program.kill()));
    return [...this.programs];
  }

  async end(): Promise<void> {
    await this.workers(0);
  }
}
