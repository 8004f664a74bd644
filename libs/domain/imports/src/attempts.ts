import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database, newId, type RunsOn, statement } from '#platform/database';
import type { Failure } from './failures';
import type { OpenJob } from './open-jobs';

/** Crashes of a job's attempts, and of its attempts at a single row. */
export interface Crashes {
  /** The number of crashed attempts. */
  total: number;
  /** The number of consecutive crashed attempts at a single row. */
  ofRow: number;
  /** The most rows of the next attempt; `undefined`: no limit. */
  rows: number | undefined;
}

/** A connection that is lost this often in succession with the same rows counts as a crash. */
const LOSSES = 3;

/** The attempt of another process. */
const FOREIGN = statement({
  parameters: ['uuid', 'uuid', 'uuid'],
  sql: 'SELECT FROM import_attempts WHERE organization_id = $1 AND job_id = $2 AND worker_id <> $3',
});

/**
 * An attempt that is still marked has crashed, because only one process can hold the lock of the job, unless it is of this
 * process, which lives.
 */
const COUNT_CRASH = statement({
  parameters: ['uuid', 'uuid', 'uuid'],
  columns: { total: 'int', ofRow: 'int', rows: 'int?' },
  sql: `
    UPDATE import_attempts SET
      worker_id = NULL,
      losses = CASE WHEN ended = 1 THEN 0 ELSE losses END,
      ends = ends + ended,
      rows = CASE WHEN ends + ended > 1 THEN greatest(1, rows / (1 + ended)) ELSE rows END,
      ends_alone = CASE WHEN rows = 1 THEN ends_alone + ended ELSE 0 END
    FROM (SELECT CASE WHEN worker_id <> $3 OR losses >= ${LOSSES} THEN 1 ELSE 0 END AS ended FROM import_attempts
      WHERE organization_id = $1 AND job_id = $2) marked
    WHERE organization_id = $1 AND job_id = $2
    RETURNING ends AS total, ends_alone AS "ofRow", CASE WHEN ends > 0 THEN rows END AS rows
  `,
});

const MARK = statement({
  parameters: ['uuid', 'uuid', 'uuid?', 'int'],
  sql: `
    INSERT INTO import_attempts AS a (organization_id, job_id, worker_id, rows) VALUES ($1, $2, $3, $4)
    ON CONFLICT (organization_id, job_id) DO UPDATE SET worker_id = $3, rows = $4, started_at = clock_timestamp()
  `,
});

const FORGET = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'DELETE FROM import_attempts WHERE organization_id = $1 AND job_id = $2',
});

const PASS = statement({
  parameters: ['uuid', 'uuid', 'int'],
  sql: `
    UPDATE import_attempts SET worker_id = NULL, ends_alone = 0, losses = 0, rows = $3
    WHERE organization_id = $1 AND job_id = $2
  `,
});

/** The next attempt counts a crash. */
const BLAME = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    UPDATE import_attempts SET worker_id = NULL, losses = ${LOSSES} WHERE organization_id = $1 AND job_id = $2
  `,
});

const RELEASE = statement({
  parameters: ['uuid', 'uuid', 'uuid', 'int'],
  sql: `
    UPDATE import_attempts SET worker_id = NULL, losses = losses + $4
    WHERE organization_id = $1 AND job_id = $2 AND worker_id = $3
  `,
});

const RELEASE_ALL = statement({ parameters: ['uuid'], sql: 'SELECT release_import_attempts($1)' });

/** How long a process that lives has to release an attempt whose connection it lost. */
const RELEASED_MS = 2_000;
const ASK_MS = 100;
const RETRY_MS = 250;

/**
 * Attempts at jobs, recorded before the work starts. An attempt ends with its transaction, with a caught error, or when
 * the process shuts down. If it is still marked when the next attempt starts, it crashed its process.
 *
 * A process that lost its connection lives, and says so by another connection, as soon as it gets one.
 */
@Injectable()
export class Attempts {
  private readonly workerId = newId();
  private readonly marking = new Set<Promise<unknown>>();
  /** Attempts that ended while the database was unavailable, by job. */
  private readonly unreleased = new Map<string, { job: OpenJob; losses: number }>();
  private ending = false;

  constructor(private readonly database: Database) {}

  /** Counts a crash of the previous attempt, if any. The caller must hold the lock of the job. */
  async crashesOf(on: RunsOn, job: OpenJob): Promise<Crashes> {
    const key = [job.organizationId, job.jobId, this.workerId] as const;
    if (this.unreleased.has(job.jobId)) await this.confirm(job.jobId);
    const end = performance.now() + RELEASED_MS;
    while ((await FOREIGN.run(on, key)) > 0 && performance.now() < end) await sleep(ASK_MS);
    const crashes = await COUNT_CRASH.first(on, key);
    return { total: 0, ofRow: 0, ...crashes, rows: crashes?.rows ?? undefined };
  }

  /** Committed before it resolves. */
  async mark(on: RunsOn, { organizationId, jobId }: OpenJob, rows: number): Promise<void> {
    const marked = MARK.run(on, [organizationId, jobId, this.ending ? null : this.workerId, rows]);
    this.marking.add(marked);
    await marked.finally(() => this.marking.delete(marked));
  }

  /**
   * Call it in the transaction of the work: the attempt succeeded. A single crash may have had another cause and is
   * dropped when all rows of that attempt are processed. A job that crashed a separate process is the cause, so its
   * crashes are kept until it is finished.
   */
  async passed(on: RunsOn, job: OpenJob, crashes: Crashes, rows: number): Promise<void> {
    crashes.ofRow = 0;
    if (crashes.total === 0) return this.forget(on, job);
    crashes.rows = crashes.total > 1 ? 2 * rows : Math.max(0, (crashes.rows ?? 0) - rows);
    if (crashes.rows === 0) {
      crashes.total = 0;
      return this.forget(on, job);
    }
    await PASS.run(on, [job.organizationId, job.jobId, crashes.rows]);
  }

  async forget(on: RunsOn, { organizationId, jobId }: OpenJob): Promise<void> {
    await FORGET.run(on, [organizationId, jobId]);
  }

  /** The separate process of the job ended. */
  async blame({ organizationId, jobId }: OpenJob): Promise<void> {
    await BLAME.run(this.database.of(organizationId), [organizationId, jobId]);
  }

  /**
   * The attempt ended, and this process lives. A lost connection counts if other statements succeed now: then it is not
   * the database that is unavailable. If it was lost without a reason, it also counts if they succeed later, because the rows
   * may have crashed PostgreSQL.
   *
   * Does not throw: while the database is unavailable, it is repeated in the background.
   */
  async release(job: OpenJob, failure?: Failure): Promise<void> {
    this.unreleased.set(job.jobId, {
      job,
      losses: failure === 'CONNECTION_CLOSED' || failure === 'CONNECTION_LOST' ? 1 : 0,
    });
    if (await this.confirm(job.jobId)) return;
    this.unreleased.set(job.jobId, { job, losses: failure === 'CONNECTION_LOST' ? 1 : 0 });
    void this.confirmLater(job.jobId);
  }

  /** The process shuts down: its attempts no longer count. */
  async releaseAll(): Promise<void> {
    this.ending = true;
    await Promise.allSettled(this.marking);
    await this.database.everywhere((on) => RELEASE_ALL.rows(on, [this.workerId]));
  }

  /** @returns false while the database is unavailable */
  private async confirm(jobId: string): Promise<boolean> {
    const found = this.unreleased.get(jobId);
    if (!found) return true;
    const { organizationId } = found.job;
    try {
      await RELEASE.run(this.database.of(organizationId), [
        organizationId,
        jobId,
        this.workerId,
        found.losses,
      ]);
      this.unreleased.delete(jobId);
      return true;
    } catch {
      return false;
    }
  }

  private async confirmLater(jobId: string): Promise<void> {
    do await sleep(RETRY_MS, undefined, { ref: false });
    while (!this.ending && !(await this.confirm(jobId)));
  }
}
