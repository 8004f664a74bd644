import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { SETTINGS, type Settings } from '#libs/config';
import { Attempts } from './attempts';
import type { Done } from './job-chunk';
import type { Verdict } from './job-run';
import type { OpenJob } from './open-jobs';

/** In development, the process runs from source. */
const FROM_SOURCE = __filename.endsWith('.ts');
const START_MS = 60_000;

/** The message to the process of a job. */
export interface AloneOrder extends OpenJob {
  requestId?: string | null;
}

/** The message from the process. */
export type AloneReport =
  | { ready: true }
  | { alive: true }
  | { done: Done; enqueuesRaceDay: boolean }
  | { verdict: Verdict }
  | { failure: string };

/**
 * Runs jobs that crashed a process, one at a time, each in a separate process. Each further crash is counted and halves
 * the rows of the next attempt, until a row or the job fails.
 */
@Injectable()
export class Isolation implements OnModuleDestroy {
  private readonly logger = new Logger('imports');
  private child: ChildProcess | undefined;
  private ending = false;
  /** Organizations whose jobs were skipped meanwhile, in order. */
  private readonly passedOver = new Set<string>();

  constructor(
    private readonly attempts: Attempts,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  isTaken = false;

  async onModuleDestroy(): Promise<void> {
    this.ending = true;
    const { child } = this;
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }

  /** Enqueues the organization when the process is available again. */
  passOver(organizationId: string): void {
    this.passedOver.add(organizationId);
  }

  /**
   * @returns the result of the run, and the organizations that were skipped meanwhile
   * @throws Error if the job could not be processed for a reason other than its rows
   */
  async run(
    order: AloneOrder,
    onDone: (done: Done, enqueuesRaceDay: boolean) => void,
  ): Promise<{ verdict: Verdict; passedOver: string[] }> {
    this.isTaken = true;
    try {
      const verdict = await this.once(order, onDone);
      // The next run counts the crash and takes fewer rows.
      if (!verdict && !this.ending) await this.attempts.blame(order);
      return { verdict: verdict ?? 'MORE', passedOver: [...this.passedOver] };
    } finally {
      this.isTaken = false;
      this.passedOver.clear();
    }
  }

  /** `undefined` if the process crashed. */
  private async once(
    order: AloneOrder,
    onDone: (done: Done, enqueuesRaceDay: boolean) => void,
  ): Promise<Verdict | undefined> {
    const file = join(__dirname, `alone${FROM_SOURCE ? '.ts' : '.js'}`);
    const execArgv = FROM_SOURCE ? ['-C', 'source', '-r', '@swc-node/register'] : process.execArgv;
    const child = fork(file, {
      execArgv: [...execArgv, `--max-old-space-size=${this.settings.IMPORT_ALONE_MB}`],
      // It logs in the same format as the worker.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'json',
    });
    this.child = child;
    let ready = false;
    let verdict: Verdict | undefined;
    let failure: string | undefined;
    let silence = setTimeout(() => child.kill('SIGKILL'), START_MS);
    child.on('message', (report: AloneReport) => {
      clearTimeout(silence);
      // A process whose event loop is blocked counts as one that ended.
      silence = setTimeout(() => child.kill('SIGKILL'), this.settings.JOB_LOCK_MS);
      if ('ready' in report) {
        ready = true;
        child.send(order);
      } else if ('alive' in report) return;
      else if ('done' in report) onDone(report.done, report.enqueuesRaceDay);
      else if ('verdict' in report) verdict = report.verdict;
      else failure = report.failure;
      if (verdict || failure) child.disconnect();
    });
    const [code, signal] = await once(child, 'exit');
    clearTimeout(silence);
    if (verdict) return verdict;
    if (failure) throw new Error(failure);
    if (!ready && !this.ending) throw new Error(`The process of the job did not start (${signal ?? code})`);
    this.logger.error({ msg: 'a job crashed its process', jobId: order.jobId, code, signal });
    return undefined;
  }
}
