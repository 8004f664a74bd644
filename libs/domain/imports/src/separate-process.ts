import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ownProgram, type Settings } from '#platform/config';
import type { Failure } from './failures';
import type { Done } from './job-chunk';
import type { RunOptions, Verdict } from './job-run';
import type { OpenJob } from './open-jobs';

const START_MS = 60_000;
/** A chunk has 4 MiB of JSON. What needs more memory crashes this process only. */
const HEAP_MB = 512;

/** The message to the process: a job to process. */
export interface IsolatedOrder extends OpenJob {
  requestId?: string | null;
}

/** What the process reports of its transactions. */
export type Heard = Pick<RunOptions, 'onDone' | 'onRetry'>;

/** The message from the process. */
export type IsolatedReport =
  | { ready: true }
  | { alive: true }
  | { done: Done; enqueuesRaceDay: boolean }
  | { retry: Failure }
  | { verdict: Verdict }
  | { failure: string };

/** A separate process, which processes one job after the other and may crash. */
export class SeparateProcess {
  private readonly child: ChildProcess;
  private readonly gone: Promise<unknown>;
  private isReady = false;
  private heard: Heard | undefined;
  private silence: NodeJS.Timeout | undefined;
  private end: (ended: { verdict?: Verdict; failure?: string }) => void = () => {};

  constructor(private readonly settings: Settings) {
    const { file, execArgv = process.execArgv } = ownProgram(join(__dirname, 'isolated'));
    this.child = fork(file, {
      execArgv: [...execArgv, `--max-old-space-size=${HEAP_MB}`],
      // It logs in the same format as the worker.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'json',
    });
    // It emits an error instead if it could not be started.
    this.gone = once(this.child, 'exit')
      .catch(() => {})
      .then(() => this.end({}));
    this.child.on('message', (report: IsolatedReport) => this.hear(report));
  }

  get isAlive(): boolean {
    return this.child.connected && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** How it ended. */
  get ending(): { code: number | null; signal: string | null } {
    return { code: this.child.exitCode, signal: this.child.signalCode };
  }

  /**
   * Processes a job. One at a time.
   *
   * @returns `undefined` if the process crashed
   * @throws Error if the job could not be processed for a reason other than its rows
   */
  async run(order: IsolatedOrder, heard: Heard): Promise<Verdict | undefined> {
    this.heard = heard;
    const ended = new Promise<{ verdict?: Verdict; failure?: string }>((resolve) => {
      this.end = resolve;
    });
    this.bound(this.isReady ? this.settings.SILENT_MS : START_MS);
    if (this.isReady) this.child.send(order);
    else this.child.once('message', () => this.child.send(order));
    const { verdict, failure } = await ended;
    clearTimeout(this.silence);
    this.heard = undefined;
    if (failure) throw new Error(failure);
    if (!this.isReady) throw new Error('The process of the job did not start');
    return verdict;
  }

  /** Ends it when it is idle. */
  leave(): void {
    if (this.child.connected) this.child.disconnect();
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGTERM');
    await this.gone;
  }

  private hear(report: IsolatedReport): void {
    this.isReady = true;
    // Between two jobs it owes no sign of life.
    if (!this.heard) return;
    // A process whose event loop is blocked counts as one that ended.
    this.bound(this.settings.SILENT_MS);
    if ('done' in report) this.heard.onDone(report.done, report.enqueuesRaceDay);
    else if ('retry' in report) this.heard.onRetry(report.retry);
    else if ('verdict' in report || 'failure' in report) this.end(report);
  }

  private bound(ms: number): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.child.kill('SIGKILL'), ms);
  }
}
