import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '#libs/config';
import { Database } from '#libs/database';
import { ImportMetrics, type ImportMode, type ImportSurface, type OpenJob } from '#libs/imports';
import { JobProducer } from '#libs/jobs';
import { inSpan } from '#libs/operations';
import type { ImportHandler } from './import-handler';
import { IMPORT_HANDLERS } from './import-handlers';
import { failed, type ImportRow, problem, type RowOutcome } from './outcomes';

/** Somebody else was faster, or two waited for each other: the same rows again will see what the other did. */
const AGAIN = new Set(['23505', '40P01', '40001']);
const TRIES_AGAIN = 10;
/** The database went away, or is short of something: the rows are innocent. */
const AWAY = /^(08|57P|53|58|25P03)|^E[A-Z]+$/;
/** What the driver says of a lost connection has no code. */
const LOST = /connection (terminated|error)|not queryable|timeout exceeded when trying to connect/i;

/** Whoever holds the row works on the job; another worker that comes along leaves it to them. */
const LOCK_JOB = /* sql */ `
  SELECT j.surface, j.mode, o.deleted_at IS NOT NULL AS closed FROM import_jobs j
  JOIN organizations o ON o.id = j.organization_id
  WHERE j.organization_id = $1 AND j.id = $2 AND j.status IN ('QUEUED', 'RUNNING') FOR UPDATE OF j SKIP LOCKED
`;

const NEXT_ROWS = /* sql */ `
  SELECT row_number AS row, payload FROM import_rows
  WHERE organization_id = $1 AND job_id = $2 AND outcome IS NULL ORDER BY row_number LIMIT $3
`;

const WRITE_OUTCOMES = /* sql */ `
  UPDATE import_rows r SET outcome = o.outcome, result = o.result, error_code = o.error_code, error_message = o.error_message
  FROM json_to_recordset($3::json) o (row_number int, outcome text, result jsonb, error_code text, error_message text)
  WHERE r.organization_id = $1 AND r.job_id = $2 AND r.row_number = o.row_number
`;

const COUNT = /* sql */ `
  UPDATE import_jobs SET
    status = CASE WHEN $6 THEN 'COMPLETED' ELSE 'RUNNING' END,
    started_at = coalesce(started_at, transaction_timestamp()),
    finished_at = CASE WHEN $6 THEN clock_timestamp() END,
    succeeded_rows = succeeded_rows + $3, already_imported_rows = already_imported_rows + $4, failed_rows = failed_rows + $5
  WHERE organization_id = $1 AND id = $2
  RETURNING total_rows AS "totalRows", failed_rows AS "failedRows", extract(epoch FROM finished_at - created_at)::float8 AS seconds
`;

const GIVE_UP = /* sql */ `
  UPDATE import_jobs SET status = 'FAILED', failure = $3, finished_at = clock_timestamp()
  WHERE organization_id = $1 AND id = $2
  RETURNING total_rows AS "totalRows", failed_rows AS "failedRows", extract(epoch FROM finished_at - created_at)::float8 AS seconds
`;

interface Counted {
  totalRows: number;
  failedRows: number;
  /** From accepted to its end; null until then. */
  seconds: number | null;
}

/** What a chunk has come to, once it is committed. */
interface Chunk extends Counted {
  surface: ImportSurface;
  status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  outcomes: RowOutcome[];
}

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
   * Until every row has an outcome, or another worker has the job.
   *
   * @param requestId the request that brought the job, where that is known: for the logs
   */
  async run(job: OpenJob, requestId?: string): Promise<void> {
    const most = this.settings.IMPORT_CHUNK_ROWS;
    let size = most;
    let again = 0;
    for (;;) {
      try {
        const chunk = await this.chunk(job, size);
        if (chunk) this.count(chunk);
        if (chunk?.status !== 'RUNNING') return this.tell(job, requestId, chunk);
        size = Math.min(most, size * 2);
        again = 0;
      } catch (error) {
        const { code = '', message } = error as Error & { code?: string };
        if (AWAY.test(code) || (!code && LOST.test(message))) throw error;
        if (AGAIN.has(code) && again < TRIES_AGAIN) {
          again += 1;
          await sleep(again * 10 * Math.random());
          continue;
        }
        this.logger.error({ requestId, jobId: job.jobId, rows: size, code, err: error });
        // The row that nobody foresaw is found by halving, and fails alone.
        if (size === 1) await this.failFirst(job);
        size = Math.max(1, Math.floor(size / 2));
      }
    }
  }

  /** Undefined where there is nothing to do, or another worker does it. */
  private chunk(job: OpenJob, size: number): Promise<Chunk | undefined> {
    return inSpan('import chunk', { attributes: { 'startline.job_id': job.jobId } }, async (span) => {
      const after = { enqueuesRaceDay: false };
      const chunk = await this.inJob(job, size, (manager, { surface, mode }, rows) => {
        const handler = IMPORT_HANDLERS[surface] as ImportHandler<unknown>;
        return handler({ manager, ...job, mode, after }, rows);
      });
      if (after.enqueuesRaceDay) this.producer.enqueue('race-day', { organizationId: job.organizationId });
      span.setAttributes({ 'startline.surface': chunk?.surface, 'startline.rows': chunk?.outcomes.length });
      return chunk;
    });
  }

  private async failFirst(job: OpenJob): Promise<void> {
    const cause = problem('INTERNAL', 'Something went wrong on our side. Import the row again.');
    const chunk = await this.inJob(job, 1, async (_manager, _job, rows) =>
      rows.map(({ row }) => failed(row, cause)),
    );
    if (chunk) this.count(chunk);
  }

  private count({ surface, status, outcomes, seconds }: Chunk): void {
    for (const { outcome, error_code: code } of outcomes) {
      this.metrics.rows.inc({ surface, outcome });
      if (code) this.metrics.rowErrors.inc({ surface, code });
    }
    if (status === 'RUNNING') return;
    this.metrics.finished.inc({ surface, status });
    this.metrics.seconds.observe({ surface }, seconds ?? 0);
  }

  private tell({ jobId }: OpenJob, requestId: string | undefined, chunk: Chunk | undefined): void {
    if (!chunk) return;
    const { surface, status, totalRows: rows, failedRows, seconds } = chunk;
    this.logger.log({ msg: 'import finished', requestId, jobId, surface, status, rows, failedRows, seconds });
  }

  private inJob(
    job: OpenJob,
    size: number,
    work: (
      manager: EntityManager,
      locked: { surface: ImportSurface; mode: ImportMode },
      rows: ImportRow<unknown>[],
    ) => Promise<RowOutcome[]>,
  ): Promise<Chunk | undefined> {
    const key = [job.organizationId, job.jobId];
    return this.database.transaction(async (manager) => {
      const [locked] = await manager.query(LOCK_JOB, key);
      if (!locked) return undefined;
      const { surface } = locked;
      if (locked.closed) {
        const [[counted]] = await manager.query(GIVE_UP, [...key, 'The organization was closed.']);
        return { surface, status: 'FAILED', outcomes: [], ...counted };
      }
      const rows: ImportRow<unknown>[] = await manager.query(NEXT_ROWS, [...key, size]);
      const outcomes = rows.length ? await work(manager, locked, rows) : [];
      await manager.query(WRITE_OUTCOMES, [...key, JSON.stringify(outcomes)]);
      const count = (...wanted: string[]) =>
        outcomes.filter(({ outcome }) => wanted.includes(outcome)).length;
      const last = rows.length < size;
      const [[counted]] = await manager.query(COUNT, [
        ...key,
        count('IMPORTED', 'UPDATED'),
        count('ALREADY_IMPORTED'),
        count('FAILED'),
        last,
      ]);
      return { surface, status: last ? 'COMPLETED' : 'RUNNING', outcomes, ...counted };
    });
  }
}
