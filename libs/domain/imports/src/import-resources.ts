import { type Caller, importPermission } from '#platform/access';
import { IMPORT_OUTCOMES, IMPORT_STATUSES, isTaken } from '#platform/database';
import { boolean, equals, id, type ListDeclaration, oneOf, type Resource } from '#platform/queries';
import { isProcessed, isQueued } from './advisory-locks';
import { IMPORTS, type ImportSurface } from './definitions';
import { ImportJob, ImportJobSummary, ImportRowResult } from './import-job.dto';

const RESULTS_AT_ONCE = 1_000;
/** The permission for changes of several participants. */
const CHANGES = 'participants:write';
const SURFACES = Object.keys(IMPORTS) as ImportSurface[];

export const importErrorJson = (row: string): string => `jsonb_strip_nulls(jsonb_build_object(
    'row', ${row}.row_number, 'path', ${row}.error_path, 'code', ${row}.error_code, 'message', ${row}.error_message,
    'externalId', ${row}.external_id))`;

const NOT_REACHED = (row: string): string => `jsonb_strip_nulls(jsonb_build_object(
    'row', ${row}.row_number, 'code', 'NOT_REACHED', 'message', 'The import ended before this row. The row was not written.',
    'externalId', ${row}.external_id))`;

/** Warnings name participants, whom not every key can read. */
const withoutDuplicates = (result: string): string => `CASE WHEN ${result} ? 'warnings' THEN
    jsonb_set(${result}, '{warnings}', (SELECT jsonb_agg(CASE WHEN w ? 'duplicateOf' THEN w || jsonb_build_object('duplicateOf', '[]'::jsonb,
      'message', regexp_replace(w->>'message', ', as participant [-0-9a-f]+', '')) ELSE w END)
      FROM jsonb_array_elements(${result}->'warnings') w)) ELSE ${result} END`;

const readsParticipants = ({ permissions }: Caller): boolean =>
  permissions?.includes('participants:read') ?? true;

/** The error of a row without an outcome in a failed job: it was not reached. */
export const importRowJson = (row: string, status: string, caller: Caller): string => `jsonb_build_object(
      'row', ${row}.row_number, 'outcome', ${row}.outcome,
      'alreadyImported', coalesce(${row}.outcome = 'ALREADY_IMPORTED', false))
    || coalesce(${readsParticipants(caller) ? `${row}.result` : withoutDuplicates(`${row}.result`)}, '{}')
    || CASE WHEN ${row}.error_code IS NOT NULL THEN jsonb_build_object('error', ${importErrorJson(row)})
      WHEN ${row}.outcome IS NULL AND ${status} = 'FAILED' THEN jsonb_build_object('error', ${NOT_REACHED(row)})
      ELSE '{}' END`;

/** Processes and connections that end lose their locks at once, so the locks tell who has a job. */
export const WAITING_FOR = `CASE WHEN t.status NOT IN ('QUEUED', 'RUNNING') THEN NULL
      WHEN NOT ${isTaken('imports')} THEN 'worker'
      WHEN ${isQueued('t.id')} THEN 'otherImport'
      WHEN ${isProcessed('t.id')} THEN NULL
      ELSE coalesce((SELECT CASE WHEN a.worker_id IS NOT NULL THEN 'takeover' WHEN a.ends > 0 THEN 'separateProcess' END
        FROM import_attempts a WHERE a.organization_id = t.organization_id AND a.job_id = t.id), 'turn') END`;

/** The job that imported a dry run. */
export const IMPORTED_BY = (organization: string, dryRun: string): string =>
  `(SELECT i.id FROM import_jobs i WHERE i.organization_id = ${organization} AND i.imported_dry_run_id = ${dryRun})`;

/** The correction of a row that has not failed, else the newest that has. */
export const LATEST_CORRECTION = (row: string): string => `LATERAL (SELECT * FROM import_rows c
      WHERE c.organization_id = ${row}.organization_id AND c.corrects_job_id = ${row}.job_id AND c.corrects_row = ${row}.row_number
      ORDER BY c.outcome IS NOT DISTINCT FROM 'FAILED', c.job_id DESC LIMIT 1)`;

/** What later jobs did to the rows of job `t`: corrections of its failed rows, and jobs that undo it. */
export const LATER_JOBS = `CROSS JOIN LATERAL (
      SELECT count(*)::int AS corrections,
        coalesce(sum(c.succeeded_rows + c.already_imported_rows + c.cancelled_before_rows), 0)::int AS corrected_rows
      FROM import_jobs c
      WHERE c.organization_id = t.organization_id AND c.corrects_job_id = t.id AND c.dry_run = t.dry_run
    ) later CROSS JOIN LATERAL (
      SELECT coalesce(sum(u.succeeded_rows), 0)::int AS undone_rows FROM import_jobs u
      WHERE u.organization_id = t.organization_id AND u.undoes_job_id = t.id
    ) undoing`;

/** The properties of a job in every response; joins `LATER_JOBS`. */
export const IMPORT_JOB_SUMMARY = `
    t.id AS "jobId",
    t.surface AS "surface",
    t.name AS "name",
    t.dry_run AS "dryRun",
    t.undoes_job_id AS "undoes",
    t.corrects_job_id AS "corrects",
    t.imported_dry_run_id AS "importsDryRun",
    ${IMPORTED_BY('t.organization_id', 't.id')} AS "importedBy",
    t.status AS "status",
    ${WAITING_FOR} AS "waitingFor",
    t.total_rows AS "totalRows",
    t.succeeded_rows + t.already_imported_rows + t.cancelled_before_rows + t.failed_rows AS "processedRows",
    t.succeeded_rows AS "succeededRows",
    t.already_imported_rows AS "alreadyImportedRows",
    t.cancelled_before_rows AS "cancelledBeforeRows",
    t.failed_rows AS "failedRows",
    t.warned_rows AS "warnedRows",
    later.corrections AS "corrections",
    later.corrected_rows AS "correctedRows",
    CASE WHEN t.corrects_job_id IS NULL THEN t.failed_rows - later.corrected_rows ELSE 0 END AS "openRows",
    undoing.undone_rows AS "undoneRows",
    t.created_at AS "createdAt",
    t.started_at AS "startedAt",
    t.finished_at AS "finishedAt"`;

/** The properties of one job that lists of jobs do not have. */
export const CORRECTIONS_OF_JOB = `
    ARRAY(SELECT c.id FROM import_jobs c
      WHERE c.organization_id = t.organization_id AND c.corrects_job_id = t.id AND c.dry_run = t.dry_run
      ORDER BY c.created_at, c.id LIMIT 100) AS "correctedBy",
    t.emptied_rows > 0 AS "payloadsRemoved"`;

/** A job of any import, or of a change of several participants. */
export const JOB: Resource = {
  schema: ImportJob,
  from: 'import_jobs t',
  joins: LATER_JOBS,
  select: (_values, _bind, caller) => `${IMPORT_JOB_SUMMARY},${CORRECTIONS_OF_JOB},
    CASE WHEN t.failed_rows = 0 THEN '[]' ELSE (
      SELECT coalesce(jsonb_agg(${importErrorJson('failed')} ORDER BY failed.row_number), '[]') FROM (
      SELECT * FROM import_rows r
      WHERE r.organization_id = t.organization_id AND r.job_id = t.id AND r.outcome = 'FAILED'
      ORDER BY r.row_number LIMIT 1000) failed) END AS "errors",
    CASE WHEN t.finished_at IS NOT NULL AND t.total_rows <= ${RESULTS_AT_ONCE} THEN (
      SELECT jsonb_agg(${importRowJson('r', 't.status', caller)} ORDER BY r.row_number) FROM import_rows r
      WHERE r.organization_id = t.organization_id AND r.job_id = t.id) END AS "results",
    '/v0/import-jobs/' || t.id || '/rows' AS "rowsUrl",
    t.failure AS "failure"`,
};

export const importJob = (surface: ImportSurface): Resource => ({
  ...JOB,
  where: `t.surface = '${surface}' AND t.mode <> 'CHANGE'`,
});

/** A job that changes several participants. */
export const CHANGE_JOB: Resource = { ...JOB, where: `t.mode = 'CHANGE'` };

/** Whether a correction of the row is processed, or has imported it. */
export function hasCorrection(row: string): string {
  return `EXISTS (SELECT FROM import_rows c WHERE c.organization_id = ${row}.organization_id
    AND c.corrects_job_id = ${row}.job_id AND c.corrects_row = ${row}.row_number AND c.outcome IS DISTINCT FROM 'FAILED')`;
}

/** A job's rows in the order of the request. */
export const IMPORT_ROWS: ListDeclaration = {
  name: 'importRows',
  schemaName: 'PagedImportRows',
  of: {
    schema: ImportRowResult,
    // Rows have no id: the row number is a unique order.
    from: `(SELECT r.*, j.status AS job_status FROM import_rows r JOIN import_jobs j
      ON j.organization_id = r.organization_id AND j.id = r.job_id) t`,
    id: 't.job_id',
    json: (_values, _bind, caller) => importRowJson('t', 't.job_status', caller),
  },
  // The caller of the list has found the job.
  within: { column: 't.job_id', parameter: 'jobId' },
  order: { sql: 't.row_number', type: 'integer' },
  filters: {
    outcome: equals('outcome', oneOf('Only rows with this outcome.', IMPORT_OUTCOMES)),
    warned: {
      parameter: boolean('Only rows with warnings (`true`), or only rows without (`false`).'),
      where: { true: `t.result ? 'warnings'`, false: `(t.result ? 'warnings') IS NOT TRUE` },
    },
    open: {
      parameter: boolean(
        'Only failed rows that no correction has imported or is processing (`true`), or all others (`false`).',
      ),
      where: {
        true: `t.outcome = 'FAILED' AND NOT ${hasCorrection('t')}`,
        false: `(t.outcome IS DISTINCT FROM 'FAILED' OR ${hasCorrection('t')})`,
      },
    },
  },
};

/** The organization's jobs of all surfaces, newest first. */
export const IMPORT_JOBS: ListDeclaration = {
  name: 'importJobs',
  schemaName: 'PagedImportJobs',
  of: {
    schema: ImportJobSummary,
    from: 'import_jobs t',
    // Jobs that the key can follow. The surface of changes says nothing.
    limits: ({ permissions, readOnly }, bind) =>
      permissions
        ? `CASE WHEN t.mode = 'CHANGE' THEN ${bind(permissions.includes(CHANGES))}::boolean ELSE
            t.surface = ANY (${bind(SURFACES.filter((surface) => permissions.includes(importPermission(surface))))}::text[]) END`
        : readOnly
          ? `t.mode <> 'CHANGE'`
          : undefined,
    joins: LATER_JOBS,
    select: IMPORT_JOB_SUMMARY,
  },
  order: { sql: 't.created_at', type: 'timestamptz' },
  newestFirst: true,
  filters: {
    surface: equals('surface', oneOf('Only jobs of this surface.', SURFACES)),
    status: equals('status', oneOf('Only jobs with this status.', IMPORT_STATUSES)),
    dryRun: {
      parameter: boolean('Only dry runs (`true`), or only jobs that are none (`false`).'),
      where: { true: 't.dry_run', false: 'NOT t.dry_run' },
    },
    corrects: equals('corrects_job_id', id('Only corrections of this job.')),
  },
};
