import type { EntityManager } from 'typeorm';
import { statement, typed } from '#platform/database';
import type { ImportCorrection } from '#platform/import-rows';
import { errors, type Problem, problem } from '#platform/validation';
import type { ImportSurface } from './definitions';
import { IMPORTED_BY } from './import-resources';
import { OPEN_UNDO, UNDO_OPEN } from './open-jobs';

/** The most corrections of a job, dry runs included: responses add up their counts. */
export const MOST_CORRECTIONS = 1_000;
const MOST_PROBLEMS = 100;

/** Corrections of corrections count in the first job. What a job corrects never changes. */
const FIRST_JOB = statement({
  parameters: ['uuid', 'uuid', 'text', 'uuid?'],
  columns: { id: 'uuid!' },
  sql: `
    SELECT coalesce(corrects_job_id, id) AS id FROM import_jobs
    WHERE organization_id = $1 AND id = $2 AND surface = $3 AND ($4::uuid IS NULL OR partner_id = $4)
  `,
});

/** Of several corrections at the same time, one after the other reads what is left to correct. */
const LOCK = statement({
  parameters: ['uuid', 'uuid'],
  columns: {
    partnerId: 'uuid?',
    dryRunId: 'uuid',
    isKept: 'boolean',
    finished: 'boolean',
    undoes: 'boolean',
    dryRun: 'boolean',
  },
  sql: `
    SELECT partner_id AS "partnerId", coalesce(dry_run_job_id, id) AS "dryRunId",
      EXISTS (SELECT FROM import_jobs first WHERE first.organization_id = $1 AND first.id = coalesce(j.dry_run_job_id, j.id)) AS "isKept",
      status IN ('COMPLETED', 'FAILED') AS finished, mode IN ('UNDO', 'CHANGE') AS undoes, dry_run AS "dryRun"
    FROM import_jobs j WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE
  `,
});

/** In a statement of its own after the lock. */
const COUNT = statement({
  parameters: ['uuid', 'uuid'],
  columns: { corrections: 'int', importedBy: 'uuid?' },
  sql: `
    SELECT count(*)::int AS corrections,
      ${IMPORTED_BY('$1', '$2')} AS "importedBy"
    FROM import_jobs WHERE organization_id = $1 AND corrects_job_id = $2
  `,
});

/** Rows that a correction did not reach before it ended can be corrected again, and are not processed by a retry any more. */
const GIVE_UP_UNREACHED = statement({
  parameters: ['uuid', 'uuid', 'int[]'],
  sql: `
    WITH unreached AS (
      UPDATE import_rows r SET outcome = 'FAILED', error_code = 'NOT_REACHED',
        error_message = 'The import ended before this row. The row was not written.'
      FROM import_jobs j
      WHERE r.organization_id = $1 AND r.corrects_job_id = $2 AND r.corrects_row = ANY ($3) AND r.outcome IS NULL
        AND j.organization_id = $1 AND j.id = r.job_id AND j.status = 'FAILED'
      RETURNING r.job_id
    )
    UPDATE import_jobs j SET failed_rows = j.failed_rows + u.rows
    FROM (SELECT job_id, count(*)::int AS rows FROM unreached GROUP BY job_id) u
    WHERE j.organization_id = $1 AND j.id = u.job_id
  `,
});

/** The rows of the first job that rows of a job are, or correct. */
const ORIGINS = statement({
  parameters: ['uuid', 'uuid', 'int[]'],
  columns: { rows: typed<number[]>('int[]') },
  sql: `
    SELECT array_agg(coalesce(r.corrects_row, r.row_number, -1) ORDER BY place) AS rows
    FROM unnest($3::int[]) WITH ORDINALITY asked (row_number, place)
    LEFT JOIN import_rows r ON r.organization_id = $1 AND r.job_id = $2 AND r.row_number = asked.row_number
  `,
});

const CLOSED = statement({
  parameters: ['uuid', 'uuid', 'int[]'],
  columns: { place: 'int', correctedBy: 'uuid?' },
  sql: `
    SELECT (place - 1)::int AS place, c.job_id AS "correctedBy"
    FROM unnest($3::int[]) WITH ORDINALITY asked (row_number, place)
    LEFT JOIN import_rows r ON r.organization_id = $1 AND r.job_id = $2 AND r.row_number = asked.row_number
    LEFT JOIN import_rows c ON c.organization_id = $1 AND c.corrects_job_id = $2 AND c.corrects_row = asked.row_number
      AND c.outcome IS DISTINCT FROM 'FAILED'
    WHERE r.outcome IS DISTINCT FROM 'FAILED' OR c.job_id IS NOT NULL
    ORDER BY place LIMIT ${MOST_PROBLEMS}
  `,
});

/** What a correction is linked to. */
export interface Corrected {
  /** The first job. */
  jobId: string;
  /** Its partner, whose ids the correction has too, whoever sends it. */
  partnerId: string | null;
  /** Its failed rows, in the order of the rows that replace them. */
  rows: number[];
  /** Whether the correction counts in the first job: dry runs of a correction of an import do not. */
  counts: boolean;
  /** Of a dry run: the first of those whose places and codes the correction finds taken. */
  dryRunId: string | undefined;
}

/**
 * Locks the job that a correction names, and finds the failed rows that its rows replace. The caller inserts the correction
 * in the same transaction.
 *
 * @throws ApiError 400 if one of the rows has not failed, or has another correction that has not failed
 */
export async function lockCorrected(
  manager: EntityManager,
  sender: { organizationId: string; surface: ImportSurface; partnerId: string | null; dryRun: boolean },
  { jobId, rows }: ImportCorrection,
): Promise<Corrected> {
  const { organizationId, surface, partnerId, dryRun } = sender;
  const first = await FIRST_JOB.first(manager, [organizationId, jobId, surface, partnerId]);
  if (!first) throw refused('is not a job of this import');
  const job = await LOCK.one(manager, [organizationId, first.id]);
  if (job.undoes) throw refused('is not an import: its rows can be retried, but not corrected');
  if (!job.finished) throw refused('is not finished. Wait until it is, or cancel it');
  if (job.dryRun && !dryRun) throw refused('is a dry run: correct it with dryRun=true');
  if (!job.isKept) throw refused('continues a dry run that has been deleted: send the whole file again');
  if (await OPEN_UNDO.first(manager, [organizationId, first.id])) throw errors.invalid(UNDO_OPEN);
  const { corrections, importedBy } = await COUNT.one(manager, [organizationId, first.id]);
  if (corrections >= MOST_CORRECTIONS) throw refused(`has ${MOST_CORRECTIONS} corrections already`);
  if (importedBy) throw refused(`was imported by job ${importedBy}: correct that one`);
  const counts = job.dryRun === dryRun;
  const { rows: origins } =
    first.id === jobId ? { rows } : await ORIGINS.one(manager, [organizationId, jobId, rows]);
  if (counts) await GIVE_UP_UNREACHED.run(manager, [organizationId, first.id, origins]);
  const closed = await CLOSED.rows(manager, [organizationId, first.id, origins]);
  if (closed.length > 0) throw errors.invalidBody(closed.map(problemOf));
  return {
    ...{ jobId: first.id, partnerId: job.partnerId, rows: origins, counts },
    dryRunId: job.dryRun ? job.dryRunId : undefined,
  };
}

const problemOf = ({ place, correctedBy }: { place: number; correctedBy: string | null }): Problem =>
  correctedBy
    ? problem(
        `corrects.rows[${place}]`,
        'ALREADY_CORRECTED',
        `has a correction that has not failed: job ${correctedBy}`,
      )
    : problem(`corrects.rows[${place}]`, 'NOT_FAILED', 'is not a failed row of the job');

const refused = (rule: string) => errors.invalidBody([problem('corrects.jobId', 'INVALID_VALUE', rule)]);
