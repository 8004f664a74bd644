import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { SETTINGS, type Settings } from '#libs/config';
import { Attempts } from './attempts';
import type { Done } from './job-chunk';
import type { Verdict } from './job-run';
import type { OpenJob } from './open-jobs';

/** In development the process runs from its source, as everything else does. */
const FROM_SOURCE = __filename.endsWith('.ts');
const START_MS = 60_000;

/** What the process of a job is told. */
export interface AloneOrder extends OpenJob {
  requestId?: string | null;
}

/** What it tells. */
export type AloneReport =
  | { ready: true }
  | { alive: true }
  | { done: Done; enqueuesRaceDay: boolean }
  | { verdict: Verdict }
  | { failure: string };

/**
 * Runs jobs that ended a process, one at a time, each in a process of its own. Each end of such a process is counted
 * at the job, halves the rows that the next one takes on, and in the end fails a row or the job.
 */
@Injectable()
export class Isolation implements OnModuleDestroy {
  private readonly logger = new Logger('imports');
  private child: ChildProcess | undefined;
  private ending = false;
  /** Organizations whose suspects were passed over meanwhile, the first to be passed over first. */
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

  /** Wakes the organization when there is a process to be had again. */
  passOver(organizationId: string): void {
    this.passedOver.add(organizationId);
  }

  /**
   * @returns how the run ended, and who was passed over meanwhile
   * @throws Error what kept the job from being worked on, and is not its rows' fault
   */
  async run(
    order: AloneOrder,
    onDone: (done: Done, enqueuesRaceDay: boolean) => void,
  ): Promise<{ verdict: Verdict; passedOver: string[] }> {
    this.isTaken = true;
    try {
      const verdict = await this.once(order, onDone);
      // The next run at the job counts it, and is no place for the same rows.
      if (!verdict && !this.ending) await this.attempts.blame(order);
      return { verdict: verdict ?? 'MORE', passedOver: [...this.passedOver] };
    } finally {
      this.isTaken = false;
      this.passedOver.clear();
    }
  }

  /** Undefined where the process ended unexpectedly. */
  private async once(
    order: AloneOrder,
    onDone: (done: Done, enqueuesRaceDay: boolean) => void,
  ): Promise<Verdict | undefined> {
    const file = join(__dirname, `alone${FROM_SOURCE ? '.ts' : '.js'}`);
    const execArgv = FROM_SOURCE ? ['-C', 'source', '-r', '@swc-node/register'] : process.execArgv;
    const child = fork(file, {
      execArgv: [...execArgv, `--max-old-space-size=${this.settings.IMPORT_ALONE_MB}`],
      // It logs like its worker.
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
    this.logger.error({ msg: 'a job ended its process', jobId: order.jobId, code, signal });
    return undefined;
  }
}
