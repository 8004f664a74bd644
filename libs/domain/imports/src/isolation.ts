import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { Attempts } from './attempts';
import type { Quarantine, Verdict } from './job-run';
import { type Heard, type IsolatedOrder, SeparateProcess } from './separate-process';

/** The most separate processes of a worker. */
const PROCESSES = 2;
/** An idle process waits this long for the next job: after the end of a worker, several jobs follow each other. */
const IDLE_MS = 10_000;
const ANY = 2_147_483_647;

/**
 * Runs jobs that crashed a process, each alone in a separate process. Each further crash is counted and halves
 * the rows of the next attempt, until a row or the job fails.
 *
 * A job that crashed several processes leaves one of them to those that crashed one: these are mostly innocent, and
 * continue at once, although the other may block its process for SILENT_MS.
 */
@Injectable()
export class Isolation implements OnModuleDestroy {
  private readonly logger = new Logger('imports');
  private readonly running = new Map<SeparateProcess, Quarantine>();
  private readonly idle = new Map<SeparateProcess, NodeJS.Timeout>();
  private ending = false;
  /** Organizations whose jobs were skipped meanwhile, in order. */
  private readonly skipped = new Set<string>();

  constructor(
    private readonly attempts: Attempts,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** How many processes a job may have crashed to get one now; 0: all are taken. */
  get mostCrashes(): number {
    if (this.running.size >= PROCESSES) return 0;
    return [...this.running.values()].includes('QUARANTINED_AGAIN') ? 1 : ANY;
  }

  admits(quarantine: Quarantine): boolean {
    return this.mostCrashes >= (quarantine === 'QUARANTINED' ? 1 : 2);
  }

  async onModuleDestroy(): Promise<void> {
    this.ending = true;
    for (const timer of this.idle.values()) clearTimeout(timer);
    await Promise.all([...this.running.keys(), ...this.idle.keys()].map((each) => each.stop()));
  }

  /** Enqueues the organization when a process is available again. */
  skip(organizationId: string): void {
    this.skipped.add(organizationId);
  }

  /**
   * @returns the result of the run, and the organizations that were skipped meanwhile
   * @throws Error if the job could not be processed for a reason other than its rows
   */
  async run(
    order: IsolatedOrder,
    quarantine: Quarantine,
    heard: Heard,
  ): Promise<{ verdict: Verdict; skipped: string[] }> {
    const separate = this.take();
    this.running.set(separate, quarantine);
    try {
      const verdict = await separate.run(order, heard);
      if (!verdict && !this.ending) {
        this.logger.error({ msg: 'a job crashed its process', jobId: order.jobId, ...separate.ending });
        // The next run counts the crash and takes fewer rows.
        await this.attempts.blame(order);
      }
      return { verdict: verdict ?? 'YIELDED', skipped: [...this.skipped] };
    } finally {
      this.running.delete(separate);
      this.skipped.clear();
      this.keep(separate);
    }
  }

  private take(): SeparateProcess {
    for (const [separate, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(separate);
      if (separate.isAlive) return separate;
    }
    return new SeparateProcess(this.settings);
  }

  private keep(separate: SeparateProcess): void {
    if (!separate.isAlive || this.ending) return;
    const leave = () => {
      this.idle.delete(separate);
      separate.leave();
    };
    this.idle.set(separate, setTimeout(leave, IDLE_MS).unref());
  }
}
