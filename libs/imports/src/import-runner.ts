import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '#libs/config';
import { Database } from '#libs/database';
import type { ImportMode } from '#libs/import-rows';
import { failed, problem, type RowOutcome } from '#libs/import-rows';
import { JobProducer } from '#libs/jobs';
import { inSpan } from '#libs/operations';
import { type Chunk, firstRow, nextChunk, rowsOf } from './chunk-rows';
import { ChunkSize } from './chunk-size';
import { IMPORTS, type ImportSurface } from './definitions';
import { ImportMetrics } from './import-metrics';
import type { OpenJob } from './open-jobs';

/** Another transaction came first: the same rows again see what it did. */
const AGAIN = new Set(['23505', '40P01', '40001']);
/** A lock that another transaction holds for too long. */
const LOCKED = '55P03';
const TRIES_AGAIN = 10;
/** A statement that took too long. */
const TOO_SLOW = '57014';
/** The database went away, or is short of something: the rows are not the cause. */
const AWAY = /^(08|57P|53|58|25P03)|^E[A-Z]+$/;
/** The driver's errors about a lost connection have no code. */
const LOST = /connection (terminated|error)|not queryable|timeout exceeded when trying to connect/i;

/** Whoever holds the row works on the job; another worker that comes along leaves it to them. */
const LOCK_JOB = /* sql */ `
  SELECT j.surface, j.mode, j.source, o.deleted_at IS NOT NULL AS closed FROM import_jobs j
  JOIN organizations o ON o.id = j.organization_id
  WHERE j.organization_id = $1 AND j.id = $2 AND j.status IN ('QUEUED', 'RUNNING') FOR UPDATE OF j SKIP LOCKED
`;

/** A transaction that waits or works for longer is undone, and tried again or with fewer rows. */
const BOUND = `SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)`;

const WRITE_OUTCOMES = /* sql */ `
  UPDATE import_rows r SET outcome = o.outcome, result = o.result, error_code = o.error_code, error_message = o.error_message
  FROM json_to_recordset($3::json) o (row_number int, outcome text, result jsonb, error_code text, error_message text)
  WHERE r.organization_id = $1 AND r.job_id = $2 AND r.row_number = o.row_number
`;

/** The job ends with its last row; $6 where no row is left, whatever was counted. */
const COUNT = /* sql */ `
  UPDATE import_jobs j SET
    status = CASE WHEN ended THEN 'COMPLETED' ELSE 'RUNNING' END,
    started_at = coalesce(started_at, transaction_timestamp()),
    finished_at = CASE WHEN ended THEN clock_timestamp() END,
    succeeded_rows = succeeded_rows + $3, already_imported_rows = already_imported_rows + $4, failed_rows = failed_rows + $5
  FROM (SELECT $6 OR succeeded_rows + already_imported_rows + failed_rows + $3 + $4 + $5 >= total_rows AS ended
    FROM import_jobs WHERE organization_id = $1 AND id = $2) counted
  WHERE j.organization_id = $1 AND j.id = $2
  RETURNING status, total_rows AS "totalRows", failed_rows AS "failedRows", extract(epoch FROM finished_at - created_at)::float8 AS seconds
`;

const GIVE_UP = /* sql */ `
  UPDATE import_jobs SET status = 'FAILED', failure = $3, finished_at = clock_timestamp()
  WHERE organization_id = $1 AND id = $2
  RETURNING total_rows AS "totalRows", failed_rows AS "failedRows", extract(epoch FROM finished_at - created_at)::float8 AS seconds
`;

/** What a committed transaction did. */
interface Done {
  surface: ImportSurface;
  status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  totalRows: number;
  failedRows: number;
  /** From acceptance to the end; null until then. */
  seconds: number | null;
  outcomes: RowOutcome[];
  entries: number;
  ms: number;
}

const INTERNAL = problem('INTERNAL', 'Something went wrong on our side. Import the row again.');
const TOO_LARGE = problem('INTERNAL', 'The row takes more memory than a row may take.');

/**
 * Works on import jobs, chunk by chunk. One chunk is one transaction that writes what the rows bring and the
 * rows' outcomes: killed anywhere, it has happened or it has not, and the next run starts at the first row
 * without an outcome.
 */
@Injectable()
export class ImportRunner {
  private readonly logger = new Logger('imports');

  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    private readonly metrics: ImportMetrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Works until every row has an outcome, or another worker has the job.
   *
   * @param requestId the request that brought the job, for the logs
   */
  async run(job: OpenJob, requestId?: string): Promise<void> {
    const { IMPORT_CHUNK_ROWS, IMPORT_CHUNK_MS } = this.settings;
    const size = new ChunkSize(IMPORT_CHUNK_ROWS, IMPORT_CHUNK_MS);
    let tries = 0;
    for (;;) {
      let taken: Chunk | undefined;
      try {
        const done = await this.chunk(job, size.entries, (chunk) => {
          taken = chunk;
        });
        if (done) this.count(done);
        if (done?.status !== 'RUNNING') return this.tell(job, requestId, done);
        size.took(done.entries, done.ms);
        tries = 0;
      } catch (error) {
        const { code = '', message } = error as Error & { code?: string };
        if (AWAY.test(code) || (!code && LOST.test(message))) throw error;
        if ((AGAIN.has(code) || code === LOCKED) && tries < TRIES_AGAIN) {
          tries += 1;
          await sleep(tries * 10 * Math.random());
          continue;
        }
        // Whoever holds the lock may hold it for long: the slot is given to another job meanwhile.
        if (code === LOCKED) throw error;
        const { rows, entries } = taken ?? { rows: size.entries, entries: size.entries };
        if (code !== TOO_SLOW || rows === 1)
          this.logger.error({ requestId, jobId: job.jobId, rows, entries, code, err: error });
        // Halving finds the row that can't be handled, which fails alone.
        if (rows === 1) await this.failFirst(job);
        size.halve(entries);
      }
    }
  }

  /** Undefined where there is nothing to do, or another worker does it. */
  private chunk(job: OpenJob, entries: number, take: (chunk: Chunk) => void): Promise<Done | undefined> {
    const { IMPORT_CHUNK_ROWS, IMPORT_CHUNK_BYTES: bytes } = this.settings;
    const limits = { rows: Math.min(entries, IMPORT_CHUNK_ROWS), entries, bytes };
    return inSpan('import chunk', { attributes: { 'startline.job_id': job.jobId } }, async (span) => {
      const after = { enqueuesRaceDay: false };
      const done = await this.inJob(job, entries > 1, async (manager, { surface, mode, source }) => {
        const chunk = await nextChunk(manager, job, limits);
        if (!chunk) return { outcomes: [], entries: 0 };
        take(chunk);
        if (chunk.bytes > bytes) return { outcomes: [failed(chunk.last, TOO_LARGE)], entries: 1 };
        const rows = await rowsOf(manager, job, chunk);
        const handler = IMPORTS[surface].handler();
        const outcomes = await handler({ manager, ...job, mode, source, after }, rows);
        return { outcomes, entries: chunk.entries };
      });
      if (after.enqueuesRaceDay) this.producer.enqueue('race-day', { organizationId: job.organizationId });
      span.setAttributes({ 'startline.surface': done?.surface, 'startline.rows': done?.outcomes.length });
      return done;
    });
  }

  private async failFirst(job: OpenJob): Promise<void> {
    const done = await this.inJob(job, false, async (manager) => {
      const row = await firstRow(manager, job);
      return { outcomes: row === undefined ? [] : [failed(row, INTERNAL)], entries: 1 };
    });
    if (done) this.count(done);
  }

  private count({ surface, status, outcomes, seconds }: Done): void {
    for (const { outcome, error_code: code } of outcomes) {
      this.metrics.rows.inc({ surface, outcome });
      if (code) this.metrics.rowErrors.inc({ surface, code });
    }
    if (status === 'RUNNING') return;
    this.metrics.finished.inc({ surface, status });
    this.metrics.seconds.observe({ surface }, seconds ?? 0);
  }

  private tell({ jobId }: OpenJob, requestId: string | undefined, done: Done | undefined): void {
    if (!done) return;
    const { surface, status, totalRows: rows, failedRows, seconds } = done;
    this.logger.log({ msg: 'import finished', requestId, jobId, surface, status, rows, failedRows, seconds });
  }

  /** @param bounded whether the transaction is undone when it waits or works for too long */
  private inJob(
    job: OpenJob,
    bounded: boolean,
    work: (
      manager: EntityManager,
      locked: { surface: ImportSurface; mode: ImportMode; source: string | null },
    ) => Promise<{ outcomes: RowOutcome[]; entries: number }>,
  ): Promise<Done | undefined> {
    const key = [job.organizationId, job.jobId];
    const { IMPORT_CHUNK_MS } = this.settings;
    const start = performance.now();
    return this.database.transaction(async (manager) => {
      if (bounded) await manager.query(BOUND, [IMPORT_CHUNK_MS, 2 * IMPORT_CHUNK_MS]);
      const [locked] = await manager.query(LOCK_JOB, key);
      if (!locked) return undefined;
      const { surface } = locked;
      const ms = () => performance.now() - start;
      if (locked.closed) {
        const [[counted]] = await manager.query(GIVE_UP, [...key, 'The organization was closed.']);
        return { surface, status: 'FAILED', outcomes: [], entries: 0, ms: ms(), ...counted };
      }
      const { outcomes, entries } = await work(manager, locked);
      await manager.query(WRITE_OUTCOMES, [...key, JSON.stringify(outcomes)]);
      const count = (...wanted: string[]) =>
        outcomes.filter(({ outcome }) => wanted.includes(outcome)).length;
      const [[counted]] = await manager.query(COUNT, [
        ...key,
        count('IMPORTED', 'UPDATED'),
        count('ALREADY_IMPORTED'),
        count('FAILED'),
        outcomes.length === 0,
      ]);
      return { surface, outcomes, entries, ms: ms(), ...counted };
    });
  }
}
