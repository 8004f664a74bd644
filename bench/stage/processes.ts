import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#libs/testing';
import { benchHome } from './database';

const READY_MS = 60_000;
/** Of Linux: /proc counts CPU in hundredths of a second. */
const TICK_MS = 10;
const MB = 1024 * 1024;

/** A program of the bench, or ours, in a process of its own. */
export class Program {
  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /**
   * @param words what node runs
   * @param ready a path that answers below 500 once it is up
   * @param folder where it works
   */
  static async start(
    name: string,
    words: string[],
    environment: Record<string, string>,
    ready = '/health/ready',
    folder?: string,
  ): Promise<Program> {
    const port = String(await freePort());
    const logs = join(benchHome(), 'logs');
    mkdirSync(logs, { recursive: true });
    // Straight into the file: the bench itself has no part in what is measured.
    const log = openSync(join(logs, `${name.replace(/\W+/g, '-')}.log`), 'w');
    const child = spawn(process.execPath, words, {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: port, ...environment },
      stdio: ['ignore', log, log],
      cwd: folder,
    });
    closeSync(log);
    const url = `http://127.0.0.1:${environment.METRICS_PORT ?? port}`;
    const program = new Program(name, child, `http://127.0.0.1:${port}`);
    const end = Date.now() + READY_MS;
    for (;;) {
      const ok = await fetch(url + ready).then(
        ({ status }) => status < 500,
        () => false,
      );
      if (ok) return program;
      if (child.exitCode !== null || Date.now() > end) {
        await program.stop();
        throw new Error(`${name} does not start; see ${logs}`);
      }
      await sleep(50);
    }
  }

  get pid(): number {
    return this.child.pid as number;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await gone;
  }

  cpuMs(): number {
    return cpuMs(this.pid);
  }

  residentMb(): number {
    const pages = procFile(this.pid, 'status').match(/VmRSS:\s+(\d+)/)?.[1];
    return (Number(pages ?? 0) * 1024) / MB;
  }
}

/** TypeScript of the bench, compiled as it is loaded. */
export const typescript = (file: string): string[] => ['-C', 'source', '-r', '@swc-node/register', file];

const procFile = (pid: number, name: string): string => {
  const file = `/proc/${pid}/${name}`;
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** Parent, and own and reaped children's CPU time. */
function stat(pid: number): { parent: number; own: number; reaped: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ticks = (...at: number[]) => at.reduce((sum, i) => sum + Number(fields[i]), 0) * TICK_MS;
    return { parent: Number(fields[1]), own: ticks(11, 12), reaped: ticks(13, 14) };
  } catch {
    return { parent: 0, own: 0, reaped: 0 };
  }
}

/** CPU time of one process, all its threads. 0 where there is no /proc. */
export const cpuMs = (pid: number): number => stat(pid).own;

/** CPU time of a server and of all processes that it ever started. */
export function cpuMsOfTree(pid: number): number {
  if (!existsSync('/proc')) return 0;
  const { own, reaped } = stat(pid);
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return children.reduce((sum, name) => {
    const child = stat(Number(name));
    return child.parent === pid ? sum + child.own : sum;
  }, own + reaped);
}
