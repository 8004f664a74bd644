import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { Database } from '#platform/database';
import { inSpan } from '#platform/process';
import { Activity, type JobHandler, JobProducer } from '#platform/queues';
import { FairQueue, NEVER_GIVES_UP } from '#platform/scheduling';
import { hasRaceDayWork, raceDayRound } from './apply';
import { RaceDayMetrics } from './race-day-metrics';

/** Messages per transaction, limited because other transactions wait for it. */
const BATCH = 1_000;
/** Rounds per job. An organization with more work is enqueued again, behind the others. */
const ROUNDS = 5;

/**
 * Applies the race-day messages of organizations, which share the slots of a worker: the unit is a round, and of an organization only one
 * runs, because others would only wait for the lock of its race day.
 */
@Injectable()
export class RaceDayRunner implements BeforeApplicationShutdown {
  private readonly slots: FairQueue;
  /** Organizations with a job that runs or waits for a slot, and whether another job arrived meanwhile. */
  private readonly running = new Map<string, { again: boolean }>();
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    private readonly metrics: RaceDayMetrics,
    private readonly activity: Activity,
    @Inject(SETTINGS) { WORKER_CONCURRENCY }: Settings,
  ) {
    this.slots = new FairQueue({ slots: WORKER_CONCURRENCY, ...NEVER_GIVES_UP });
  }

  /** A second job for an organization leaves its messages to the first one, which looks for more before it ends. */
  readonly apply: JobHandler<'race-day'> = async ({ organizationId }, begin) => {
    await begin();
    const first = this.running.get(organizationId);
    if (first) {
      first.again = true;
      return;
    }
    const job = { again: false };
    this.running.set(organizationId, job);
    try {
      for (let round = 0; round < ROUNDS && !this.isStopping; round++) {
        await this.slots.run(organizationId, () => this.round(organizationId));
        job.again = false;
        if (!(await this.hasWork(organizationId)) && !job.again) return;
      }
    } finally {
      this.running.delete(organizationId);
    }
    this.producer.enqueue('race-day', { organizationId });
  };

  /** Another worker gets what is left. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  private hasWork(organizationId: string): Promise<boolean> {
    return this.database.of(organizationId).transaction((manager) => hasRaceDayWork(manager, organizationId));
  }

  private round(organizationId: string): Promise<void> {
    if (this.isStopping) return Promise.resolve();
    return inSpan('race-day batch', {}, async (span) => {
      const messages = await raceDayRound(
        (step) => this.database.of(organizationId).transaction(step),
        organizationId,
        BATCH,
      );
      this.metrics.applied.inc(messages);
      this.activity.did('race-day', messages);
      span.setAttribute('startline.messages', messages);
    });
  }
}
