import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { SETTINGS, type Settings } from '#platform/config';
import { type HeldConnection, workerStatementMs } from '#platform/database';
import {
  failed,
  type ImportHandler,
  type ImportMode,
  type ImportRow,
  problem,
  type RowOutcome,
} from '#platform/import-rows';
import { inSpan } from '#platform/process';
import { Attempts, type Crashes } from './attempts';
import { carriedOf, carry } from './carried';
import type { Chunk } from './chunk-rows';
import { firstRow, nextChunk, rowsOf } from './chunk-rows';
import { ChunkSize } from './chunk-size';
import { inTurn } from './competition';
import { IMPORTS, type ImportSurface } from './definitions';
import { undone } from './dry-run';
import { withoutErased } from './erased-rows';
import { type Failure, failureOf } from './failures';
import { type Done, inJob } from './job-chunk';
import type { OpenJob } from './open-jobs';

/** Rows that have this many conflicts in succession are divided. A single row fails after twice as many. */
const MOST_CONFLICTS = 10;
/** The longest wait for transactions of other jobs, in transactions. */
const TURNS = 20;
/** A row fails after this many consecutive crashes on its own. */
const CRASHES_OF_A_ROW = 3;
const INTERNAL = problem('', 'INTERNAL', 'An internal error occurred. Import the row again.');
const TOO_LARGE = problem('', 'INTERNAL', 'The row needs more memory than one row may use.');
const ROW_CRASHED = problem(
  '',
  'INTERNAL',
  'The row crashed the worker three times. It is not retried automatically.',
);
const CRASHED_TOO_OFTEN =
  'Rows of the import crashed the worker repeatedly. Rows without an outcome were not written.';

/** Jobs that crashed a process: `QUARANTINED` once, `QUARANTINED_AGAIN` a separate process too. */
export type Quarantine = 'QUARANTINED' | 'QUARANTINED_AGAIN';

/** The result of a run. */
export type Verdict =
  /** Every row has an outcome, or the job failed. */
  | 'FINISHED'
  /** The time is up or the process shuts down; rows are left. */
  | 'YIELDED'
  /** The job crashed a process, or several, and may only run in a separate process. */
  | Quarantine
  /** Another worker has the job, or it is finished. */
  | 'LOCKED_ELSEWHERE';

export interface RunOptions {
  /** The run ends after the transaction at this time of `performance.now()`. */
  until: number;
  /** Whether this is the separate process of the job, which it may crash. */
  isIsolated: boolean;
  requestId?: string | null;
  /** Called after each commit. */
  onDone(done: Done, enqueuesRaceDay: boolean): void;
  /** Called after each transaction, or wait for it, that failed. */
  onRetry(failure: Failure): void;
}

/**
 * Processes a job, transaction by transaction. It can be killed at any time: transactions are atomic, and the next run
 * starts at the first row without an outcome.
 */
@Injectable()
export class JobRun implements OnModuleDestroy {
  private readonly logger = new Logger('imports');
  private ending = false;

  constructor(
    private readonly attempts: Attempts,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async onModuleDestroy(): Promise<void> {
    this.ending = true;
    // If the database is unavailable, a false crash can be counted: the job then only runs in a separate process.
    await this.attempts.releaseAll().catch(() => {});
  }

  /** @param connection the connection that holds the lock of the job */
  async run(connection: HeldConnection, job: OpenJob, options: RunOptions): Promise<Verdict> {
    const crashes = await this.attempts.crashesOf(connection, job);
    const { IMPORT_CHUNK_ROWS, IMPORT_CHUNK_MS, IMPORT_CRASH_LIMIT } = this.settings;
    const size = new ChunkSize(IMPORT_CHUNK_ROWS, IMPORT_CHUNK_MS);
    if (crashes.total >= IMPORT_CRASH_LIMIT) return this.giveUp(connection, job, options);
    // Neither reads the rows.
    if (crashes.ofRow >= CRASHES_OF_A_ROW)
      await this.failFirst(connection, job, crashes, ROW_CRASHED, options);
    if (crashes.total > 0 && !options.isIsolated)
      return crashes.total > 1 ? 'QUARANTINED_AGAIN' : 'QUARANTINED';
    await size.read(connection, job);
    // Every run processes at least one chunk.
    for (let isFirst = true; !this.ending; isFirst = false) {
      if (!isFirst && performance.now() >= options.until) break;
      let chunk: Chunk | undefined;
      try {
        chunk = await this.nextOf(connection, job, size, crashes);
        const taken = chunk;
        const work = () => this.chunk(connection, job, taken, crashes, options);
        const done = await (taken ? inTurn(connection, job, taken, this.turnMs, work) : work());
        if (!done && chunk) return 'LOCKED_ELSEWHERE';
        if (done?.status !== 'RUNNING') return 'FINISHED';
        if (chunk) size.took(chunk.entries, done.ms);
        if (options.isIsolated && crashes.total === 0) break;
      } catch (error) {
        const failure = failureOf(error as Error);
        options.onRetry(failure);
        await this.attempts.release(job, failure);
        if (failure === 'CONNECTION_LOST' || failure === 'CONNECTION_CLOSED' || failure === 'UNAVAILABLE')
          throw error;
        // The lock wait timed out. The holder of the lock may keep it for a long time, so the row is not the cause.
        if (failure === 'LOCK_TIMEOUT') continue;
        const { rows, entries } = chunk ?? { rows: size.entries, entries: size.entries };
        if (failure === 'RETRY' && size.conflicts < MOST_CONFLICTS * (rows === 1 ? 2 : 1)) {
          size.conflicts += 1;
          await sleep(size.conflicts * 10 * Math.random());
          continue;
        }
        if (failure !== 'SLOW' || rows === 1)
          this.logger.error({
            requestId: options.requestId,
            jobId: job.jobId,
            rows,
            entries,
            code: (error as { code?: string }).code,
            err: error,
          });
        // Halving finds the row that causes the error, which then fails alone.
        if (rows === 1) {
          await this.failFirst(connection, job, crashes, INTERNAL, options);
          size.conflicts = 0;
        }
        size.halve(entries, failure === 'SLOW');
      }
    }
    await size.save(connection, job);
    return 'YIELDED';
  }

  /** Less than the statement timeout, which would count as slow rows. */
  private get turnMs(): number {
    const statementMs = workerStatementMs(this.settings);
    return Math.floor(Math.min(TURNS * this.settings.IMPORT_CHUNK_MS, statementMs / 2));
  }

  private nextOf(connection: HeldConnection, job: OpenJob, size: ChunkSize, crashes: Crashes) {
    const { IMPORT_CHUNK_ROWS, IMPORT_CHUNK_BYTES: bytes } = this.settings;
    const rows = Math.min(crashes.rows ?? IMPORT_CHUNK_ROWS, IMPORT_CHUNK_ROWS, size.entries);
    return nextChunk(connection, job, { rows, entries: size.entries, bytes });
  }

  private chunk(
    connection: HeldConnection,
    job: OpenJob,
    chunk: Chunk | undefined,
    crashes: Crashes,
    options: RunOptions,
  ): Promise<Done | undefined> {
    const { IMPORT_CHUNK_BYTES, IMPORT_CHUNK_MS, ERASURE_SECRET } = this.settings;
    return inSpan('import chunk', { attributes: { 'startline.job_id': job.jobId } }, async (span) => {
      const after = { enqueuesRaceDay: false };
      if (chunk) await this.attempts.mark(connection, job, chunk.rows);
      const workMs = chunk && chunk.rows > 1 ? 2 * IMPORT_CHUNK_MS : undefined;
      const done = await inJob(
        connection,
        job,
        { waitMs: IMPORT_CHUNK_MS, workMs },
        async (manager, { surface, dryRun, dryRunJobId, ...locked }) => {
          if (!chunk) return { outcomes: [], rows: [] };
          const handle = handlerOf(surface, locked.mode);
          const outcomes: RowOutcome[] = [];
          let read: ImportRow<unknown>[] = [];
          if (chunk.bytes > IMPORT_CHUNK_BYTES) outcomes.push(failed(chunk.last, TOO_LARGE));
          else {
            const given = await rowsOf(manager, job, chunk);
            const of = { surface, mode: locked.mode, partnerId: locked.partnerId };
            read = given;
            const { rows, refused } = await withoutErased(manager, job, ERASURE_SECRET, of, given);
            const first = { ...job, jobId: dryRunJobId ?? job.jobId };
            const carried = dryRun ? carriedOf(manager, first) : undefined;
            const work = async () => handle({ manager, ...job, ...locked, carried, after }, rows);
            const handled = dryRun ? await undone(manager, job.organizationId, work) : await work();
            if (carried) await carry(manager, first, carried.changes);
            outcomes.push(...refused, ...handled);
          }
          await this.attempts.passed(manager, job, crashes, outcomes.length);
          return { outcomes, rows: read };
        },
      );
      if (!done && chunk) await this.attempts.release(job);
      else if (done?.status !== 'RUNNING') await this.attempts.forget(connection, job);
      if (done) options.onDone(done, after.enqueuesRaceDay && !done.dryRun);
      span.setAttributes({ 'startline.surface': done?.surface, 'startline.rows': done?.outcomes.length });
      return done;
    });
  }

  private async failFirst(
    connection: HeldConnection,
    job: OpenJob,
    crashes: Crashes,
    cause: typeof INTERNAL,
    options: RunOptions,
  ): Promise<void> {
    const done = await inJob(connection, job, { waitMs: this.settings.IMPORT_CHUNK_MS }, async (manager) => {
      await this.attempts.passed(manager, job, crashes, 1);
      const row = await firstRow(manager, job);
      return { outcomes: row === undefined ? [] : [failed(row, cause)], rows: [] };
    });
    if (done) options.onDone(done, false);
  }

  private async giveUp(connection: HeldConnection, job: OpenJob, options: RunOptions): Promise<Verdict> {
    const done = await inJob(connection, job, { waitMs: this.settings.IMPORT_CHUNK_MS }, async (manager) => {
      await this.attempts.forget(manager, job);
      return { failure: CRASHED_TOO_OFTEN };
    });
    if (done) options.onDone(done, false);
    return 'FINISHED';
  }
}

function handlerOf(surface: ImportSurface, mode: ImportMode): ImportHandler<unknown> {
  const { handler, undo, change } = IMPORTS[surface];
  if (mode !== 'UNDO' && mode !== 'CHANGE') return handler();
  const other = mode === 'UNDO' ? undo.handler : change;
  if (!other) throw new Error(`Imports of ${surface} have no mode ${mode}`);
  return other() as ImportHandler<unknown>;
}
