import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const BIN = resolve(__dirname, '../../dist/libs/client/src/bin.js');
const LISTS = 3;
const LEFT_TO_END_MS = 120_000;

interface Said {
  event: string;
  equal?: boolean;
  repaired?: number;
  removed?: number;
}

/** A partner's copy of the lists in a folder, kept by `startline-client sync`, which can be killed. */
export class SyncedCopy {
  private readonly folder = mkdtempSync(join(tmpdir(), 'startline-chaos-copy-'));
  private watching: ChildProcess | undefined;
  /** Rows that a comparison found to differ: following the lists had lost them. */
  private repaired = 0;

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  watch(): void {
    this.watching = this.run(['--every', '1', '--verify-every', '1'], ({ repaired = 0, removed = 0 }) => {
      this.repaired += repaired + removed;
    });
  }

  async kill(): Promise<void> {
    const { watching } = this;
    if (!watching || watching.exitCode !== null || watching.signalCode !== null) return;
    watching.kill('SIGKILL');
    await once(watching, 'exit');
  }

  /** Reads the last changes, and compares without repairing. */
  async compare(): Promise<{ lists: number; different: number; repaired: number }> {
    await this.kill();
    let equal = 0;
    const child = this.run(['--verify'], (said) => {
      if (said.event === 'verified' && said.equal) equal++;
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), LEFT_TO_END_MS);
    await once(child, 'close');
    clearTimeout(timer);
    return { lists: LISTS, different: LISTS - equal, repaired: this.repaired };
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(words: string[], hear: (said: Said) => void): ChildProcess {
    const child = spawn(
      process.execPath,
      [BIN, 'sync', '--to', this.folder, '--url', this.url, '--json', ...words],
      { env: { ...process.env, STARTLINE_API_KEY: this.token }, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    createInterface({ input: child.stdout as Readable }).on('line', (line) => hear(JSON.parse(line)));
    return child;
  }
}
