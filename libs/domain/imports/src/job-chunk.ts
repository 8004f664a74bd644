import type { EntityManager } from 'typeorm';
import { type HeldConnection, lockMsOf, statement, typed } from '#platform/database';
import type { ImportMode, RowOutcome } from '#platform/import-rows';
import { instant } from '#platform/queries';
import type { ImportSurface } from './definitions';
import type { OpenJob } from './open-jobs';

/** A worker of an earlier release only holds this lock, during its transaction. */
const LOCK_JOB = statement({
  parameters: ['uuid', 'uuid'],
  columns: {
    surface: typed<ImportSurface>('text'),
    mode: typed<ImportMode>('text'),
    source: 'text?',
    partnerId: 'uuid?',
    skipCancelled: 'boolean',
    dryRun: 'boolean',
    requestedAt: 'text',
    permittedAt: 'text',
    closed: 'boolean',
  },
  sql: `
    SELECT j.surface, j.mode, j.source, j.partner_id AS "partnerId", j.skip_cancelled AS "skipCancelled", j.dry_run AS "dryRun",
      ${instant('j.created_at')} AS "requestedAt", ${instant('coalesce(j.reopened_at, j.created_at)')} AS "permittedAt",
      o.deleted_at IS NOT NULL AS closed FROM import_jobs j
    JOIN organizations o ON o.id = j.organization_id
    WHERE j.organization_id = $1 AND j.id = $2 AND j.status IN ('QUEUED', 'RUNNING') FOR NO KEY UPDATE OF j SKIP LOCKED
  `,
});

/** A transaction with a longer lock wait is rolled back and retried; one with a longer statement is retried with fewer rows. */
const BOUND = statement({
  parameters: ['text', 'text?'],
  sql: `
    SELECT set_config('lock_timeout', $1, true),
      set_config('statement_timeout', coalesce($2, current_setting('statement_timeout')), true)
  `,
});

const WRITE_OUTCOMES = statement({
  parameters: ['uuid', 'uuid', 'json'],
  sql: `
    UPDATE import_rows r SET outcome = o.outcome, result = o.result, error_code = o.error_code, error_message = o.error_message
    FROM json_to_recordset($3::json) o (row_number int, outcome text, result jsonb, error_code text, error_message text)
    WHERE r.organization_id = $1 AND r.job_id = $2 AND r.row_number = o.row_number
  `,
});

const COUNTED_COLUMNS = {
  status: typed<Done['status']>('text'),
  totalRows: 'int',
  failedRows: 'int',
  seconds: 'float8?',
} as const;
const COUNTED = `status, total_rows AS "totalRows", failed_rows AS "failedRows",
  extract(epoch FROM finished_at - created_at)::float8 AS seconds`;

/** The job ends with its last row; `$6` if no row is left. */
const COUNT = statement({
  parameters: ['uuid', 'uuid', 'int', 'int', 'int', 'boolean', 'int'],
  columns: COUNTED_COLUMNS,
  sql: `
    UPDATE import_jobs j SET
      status = CASE WHEN ended THEN 'COMPLETED' ELSE 'RUNNING' END,
      started_at = coalesce(started_at, transaction_timestamp()),
      finished_at = CASE WHEN ended THEN clock_timestamp() END,
      succeeded_rows = succeeded_rows + $3, already_imported_rows = already_imported_rows + $4, failed_rows = failed_rows + $5,
      cancelled_before_rows = cancelled_before_rows + $7
    FROM (SELECT $6 OR succeeded_rows + already_imported_rows + cancelled_before_rows + failed_rows + $3 + $4 + $5 + $7 >= total_rows AS ended
      FROM import_jobs WHERE organization_id = $1 AND id = $2) counted
    WHERE j.organization_id = $1 AND j.id = $2
    RETURNING ${COUNTED}
  `,
});

const GIVE_UP = statement({
  parameters: ['uuid', 'uuid', 'text'],
  columns: COUNTED_COLUMNS,
  sql: `
    UPDATE import_jobs SET status = 'FAILED', failure = $3, finished_at = clock_timestamp()
    WHERE organization_id = $1 AND id = $2
    RETURNING ${COUNTED}
  `,
});

/** The result of a committed transaction. */
export interface Done {
  surface: ImportSurface;
  dryRun: boolean;
  status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  totalRows: number;
  failedRows: number;
  /** Seconds from acceptance to the end; `null` until then. */
  seconds: number | null;
  outcomes: RowOutcome[];
  /** The time that the rows took, without that of statements that wait for locks. */
  ms: number;
}

export interface LockedJob {
  surface: ImportSurface;
  mode: ImportMode;
  skipCancelled: boolean;
  dryRun: boolean;
  requestedAt: string;
  permittedAt: string;
  /** The name of the API key. */
  source: string | null;
  partnerId: string | null;
}

export interface Bounds {
  /** The lock timeout. */
  waitMs: number;
  /** The statement timeout, if it is shorter than the worker's. */
  workMs?: number;
}

/**
 * A transaction of a job: writes the rows and their outcomes.
 *
 * @param work the work; if it returns a failure, the job ends with it
 * @returns `undefined` if the job is finished, or a worker of an earlier release has it
 */
export function inJob(
  connection: HeldConnection,
  job: OpenJob,
  bounds: Bounds,
  work: (manager: EntityManager, locked: LockedJob) => Promise<RowOutcome[] | { failure: string }>,
): Promise<Done | undefined> {
  const key = [job.organizationId, job.jobId] as const;
  return connection.transaction(async (manager) => {
    const start = performance.now() - (await lockMsOf(manager));
    await BOUND.run(manager, [String(bounds.waitMs), bounds.workMs ? String(bounds.workMs) : null]);
    const locked = await LOCK_JOB.first(manager, key);
    if (!locked) return undefined;
    const { surface, dryRun } = locked;
    const done = locked.closed ? { failure: 'The organization was closed.' } : await work(manager, locked);
    const ms = async () => performance.now() - (await lockMsOf(manager)) - start;
    if ('failure' in done) {
      const counted = await GIVE_UP.one(manager, [...key, done.failure]);
      return { surface, dryRun, outcomes: [], ms: await ms(), ...counted };
    }
    await WRITE_OUTCOMES.run(manager, [...key, JSON.stringify(done)]);
    const count = (...wanted: string[]) => done.filter(({ outcome }) => wanted.includes(outcome)).length;
    const counted = await COUNT.one(manager, [
      ...key,
      count('IMPORTED', 'UPDATED', 'CANCELLED'),
      count('ALREADY_IMPORTED', 'UNCHANGED'),
      count('FAILED'),
      done.length === 0,
      count('CANCELLED_BEFORE'),
    ]);
    return { surface, dryRun, outcomes: done, ms: await ms(), ...counted };
  });
}
