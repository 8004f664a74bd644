import { Inject, Injectable, Logger } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { Activity, IMPORT_SLOTS, type JobHandler, JobProducer } from '#platform/queues';
import { ImportLocks } from './import-locks';
import { ImportMetrics } from './import-metrics';
import { Isolation } from './isolation';
import type { Done } from './job-chunk';
import { JobRun, type Quarantine, type Verdict } from './job-run';
import type { OpenJob } from './open-jobs';

/**
 * Processes an organization's oldest import job for a limited time, then turns to the next organization. The queue
 * contains each organization once, so that one with a hundred jobs does not delay others.
 */
@Injectable()
export class ImportRunner {
  private readonly logger = new Logger('imports');

  constructor(
    private readonly locks: ImportLocks,
    private readonly jobs: JobRun,
    private readonly isolation: Isolation,
    private readonly producer: JobProducer,
    private readonly metrics: ImportMetrics,
    private readonly activity: Activity,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  readonly work: JobHandler<'imports'> = async ({ organizationId }, begin) => {
    await begin();
    const turn = await this.turn(organizationId);
    if (!turn) return;
    let { verdict } = turn;
    if (verdict === 'QUARANTINED' || verdict === 'QUARANTINED_AGAIN')
      verdict = await this.isolated(turn.job, verdict, turn.requestId);
    // The worker that has the job enqueues the organization again.
    if (verdict === 'LOCKED_ELSEWHERE') return;
    // After the release of the locks: replaces a queue entry that found all slots taken and was dropped.
    if (await this.locks.hasFreeJob(organizationId, this.isolation.mostCrashes)) this.enqueue(organizationId);
  };

  private async turn(
    organizationId: string,
  ): Promise<{ verdict: Verdict; job: OpenJob; requestId: string | null } | undefined> {
    const { IMPORT_TURN_MS, SILENT_MS } = this.settings;
    const until = performance.now() + IMPORT_TURN_MS;
    const held = await this.locks.begin(organizationId, SILENT_MS);
    try {
      if (!(await held.takeSlot(organizationId, IMPORT_SLOTS))) return undefined;
      const found = await held.takeJob(organizationId, this.isolation.mostCrashes);
      if (!found) {
        if (!this.isolation.admits('QUARANTINED_AGAIN')) this.isolation.skip(organizationId);
        return undefined;
      }
      // Other jobs of the organization can take its other slots.
      if (await this.locks.hasFreeJob(organizationId, this.isolation.mostCrashes))
        this.enqueue(organizationId);
      const { jobId, requestId } = found;
      const job = { organizationId, jobId };
      const onDone = (done: Done, enqueuesRaceDay: boolean) =>
        this.count(job, requestId, done, enqueuesRaceDay);
      const { onRetry } = this.metrics;
      const verdict = await this.jobs.run(held.connection, job, {
        until,
        isIsolated: false,
        requestId,
        onDone,
        onRetry,
      });
      return { verdict, job, requestId };
    } finally {
      await held.connection.release();
    }
  }

  private async isolated(job: OpenJob, quarantine: Quarantine, requestId: string | null): Promise<Verdict> {
    if (!this.isolation.admits(quarantine)) {
      this.isolation.skip(job.organizationId);
      return 'LOCKED_ELSEWHERE';
    }
    const { verdict, skipped } = await this.isolation.run({ ...job, requestId }, quarantine, {
      onDone: (done, enqueuesRaceDay) => this.count(job, requestId, done, enqueuesRaceDay),
      onRetry: this.metrics.onRetry,
    });
    for (const organizationId of skipped) this.enqueue(organizationId);
    return verdict;
  }

  private enqueue(organizationId: string): void {
    this.producer.enqueue('imports', { organizationId });
  }

  private count(
    { organizationId, jobId }: OpenJob,
    requestId: string | null,
    done: Done,
    enqueuesRaceDay: boolean,
  ) {
    const { surface, dryRun, status, outcomes, totalRows: rows, failedRows, seconds } = done;
    this.activity.did('imports', outcomes.length);
    for (const { outcome, error_code: code } of dryRun ? [] : outcomes) {
      this.metrics.rows.inc({ surface, outcome });
      if (code) this.metrics.rowErrors.inc({ surface, code });
    }
    if (enqueuesRaceDay) this.producer.enqueue('race-day', { organizationId });
    if (status === 'RUNNING') return;
    this.metrics.finished.inc({ surface, status });
    this.metrics.seconds.observe({ surface }, seconds ?? 0);
    this.logger.log({
      msg: 'import finished',
      requestId,
      jobId,
      surface,
      dryRun,
      status,
      rows,
      failedRows,
      seconds,
    });
  }
}
