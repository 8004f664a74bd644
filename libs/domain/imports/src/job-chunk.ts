import type { EntityManager } from 'typeorm';
import { type HeldConnection, lockMsOf, statement, typed } from '#platform/database';
import type { ImportMode, ImportRow, RowOutcome } from '#platform/import-rows';
import { instant } from '#platform/queries';
import { type Bounds, boundChunk } from './bound-chunk';
import type { ImportSurface } from './definitions';
import { MOST_OCCURRENCES, MOST_TICKETS, occurrencesOf, placesOf } from './job-summary';
import type { OpenJob } from './open-jobs';

const LOCK_JOB = statement({
  parameters: ['uuid', 'uuid'],
  columns: {
    surface: typed<ImportSurface>('text'),
    mode: typed<ImportMode>('text'),
    source: 'text?',
    partnerId: 'uuid?',
    skipCancelled: 'boolean',
    dryRun: 'boolean',
    dryRunJobId: 'uuid?',
    requestedAt: 'text',
    permittedAt: 'text',
    closed: 'boolean',
  },
  sql: `
    SELECT j.surface, j.mode, j.source, j.partner_id AS "partnerId", j.skip_cancelled AS "skipCancelled", j.dry_run AS "dryRun",
      j.dry_run_job_id AS "dryRunJobId",
      ${instant('j.created_at')} AS "requestedAt", ${instant('coalesce(j.reopened_at, j.created_at)')} AS "permittedAt",
      o.deleted_at IS NOT NULL AS closed FROM import_jobs j
    JOIN organizations o ON o.id = j.organization_id
    WHERE j.organization_id = $1 AND j.id = $2 AND j.status IN ('QUEUED', 'RUNNING') FOR NO KEY UPDATE OF j SKIP LOCKED
  `,
});

/** `$3` has the outcomes of the rows `$4` to `$5`, and null for rows without one. */
const WRITE_OUTCOMES = statement({
  parameters: ['uuid', 'uuid', 'jsonb', 'int', 'int'],
  sql: `
    UPDATE import_rows r SET outcome = given -> (r.row_number - $4) ->> 0,
      result = nullif(given -> (r.row_number - $4) -> 1, 'null'), error_code = given -> (r.row_number - $4) ->> 2,
      error_message = given -> (r.row_number - $4) ->> 3, error_path = given -> (r.row_number - $4) ->> 4
    FROM (SELECT $3::jsonb AS given OFFSET 0) outcomes
    WHERE r.organization_id = $1 AND r.job_id = $2 AND r.row_number BETWEEN $4 AND $5
      AND given -> (r.row_number - $4) ->> 0 IS NOT NULL
  `,
});

/** The places of earlier chunks and of this one, of a limited number of tickets. */
const ADDED = (earlier: string, now: string) => /* sql */ `(
    SELECT jsonb_object_agg(id, jsonb_build_array(entries, units)) FROM (
      SELECT key AS id, sum((value->>0)::int) AS entries, sum((value->>1)::int) AS units
      FROM (SELECT * FROM jsonb_each(${earlier}) UNION ALL SELECT * FROM jsonb_each(${now})) taken
      GROUP BY key ORDER BY ${earlier} ? key DESC, key LIMIT ${MOST_TICKETS}) summed)`;

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
  parameters: ['uuid', 'uuid', 'int', 'int', 'int', 'boolean', 'int', 'uuid[]', 'jsonb?', 'int'],
  columns: COUNTED_COLUMNS,
  sql: `
    UPDATE import_jobs j SET
      status = CASE WHEN ended THEN 'COMPLETED' ELSE 'RUNNING' END,
      started_at = coalesce(started_at, transaction_timestamp()),
      finished_at = CASE WHEN ended THEN clock_timestamp() END,
      succeeded_rows = succeeded_rows + $3, already_imported_rows = already_imported_rows + $4, failed_rows = failed_rows + $5,
      cancelled_before_rows = cancelled_before_rows + $7, warned_rows = warned_rows + $10,
      event_occurrence_ids = CASE WHEN event_occurrence_ids @> $8 THEN event_occurrence_ids ELSE ARRAY(
        SELECT DISTINCT id FROM unnest(event_occurrence_ids || $8) id LIMIT ${MOST_OCCURRENCES}) END,
      places = CASE WHEN $9::jsonb IS NULL THEN places ELSE ${ADDED(`coalesce(places, '{}')`, '$9::jsonb')} END
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
  /** The dry run that this one continues. */
  dryRunJobId: string | null;
  requestedAt: string;
  permittedAt: string;
  /** The name of the API key. */
  source: string | null;
  partnerId: string | null;
}

/** Outcomes, and the rows that were read: those that are too large, or crash the worker, are not. */
export interface Worked {
  outcomes: RowOutcome[];
  rows: ImportRow<unknown>[];
}

/**
 * A transaction of a job: writes the rows and their outcomes.
 *
 * @param work the work; if it returns a failure, the job ends with it
 * @returns `undefined` if the job is finished, or another transaction has it
 */
export function inJob(
  connection: HeldConnection,
  job: OpenJob,
  bounds: Bounds,
  work: (manager: EntityManager, locked: LockedJob) => Promise<Worked | { failure: string }>,
): Promise<Done | undefined> {
  const key = [job.organizationId, job.jobId] as const;
  return connection.transaction(async (manager) => {
    const start = performance.now() - (await lockMsOf(manager));
    await boundChunk(manager, bounds);
    const locked = await LOCK_JOB.first(manager, key);
    if (!locked) return undefined;
    const { surface, dryRun } = locked;
    const done = locked.closed ? { failure: 'The organization was closed.' } : await work(manager, locked);
    const ms = async () => performance.now() - (await lockMsOf(manager)) - start;
    if ('failure' in done) {
      const counted = await GIVE_UP.one(manager, [...key, done.failure]);
      return { surface, dryRun, outcomes: [], ms: await ms(), ...counted };
    }
    const { outcomes, rows } = done;
    if (outcomes.length > 0) await writeOutcomes(manager, key, outcomes);
    const count = (...wanted: string[]) => outcomes.filter(({ outcome }) => wanted.includes(outcome)).length;
    const ids = await occurrencesOf(manager, key, done);
    const places =
      surface === 'bookingsImport' ? await placesOf(manager, job.organizationId, outcomes, rows) : null;
    const counted = await COUNT.one(manager, [
      ...key,
      count('IMPORTED', 'UPDATED', 'CANCELLED'),
      count('ALREADY_IMPORTED', 'UNCHANGED'),
      count('FAILED'),
      outcomes.length === 0,
      count('CANCELLED_BEFORE'),
      ids,
      places && JSON.stringify(places),
      outcomes.filter(({ result }) => result?.warnings).length,
    ]);
    return { surface, dryRun, outcomes, ms: await ms(), ...counted };
  });
}

/** In an array by row, because a join with the rows compares each with every other if the statistics do not know the job yet. */
export async function writeOutcomes(
  manager: EntityManager,
  key: readonly [organizationId: string, jobId: string],
  outcomes: RowOutcome[],
): Promise<void> {
  const numbers = outcomes.map(({ row_number }) => row_number);
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const given: unknown[] = new Array(last - first + 1).fill(null);
  for (const { row_number, outcome, result, error_code, error_message, error_path } of outcomes)
    given[row_number - first] = [outcome, result, error_code, error_message, error_path];
  await WRITE_OUTCOMES.run(manager, [...key, JSON.stringify(given), first, last]);
}
