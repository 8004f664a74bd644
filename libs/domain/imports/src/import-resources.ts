import { importPermission } from '#platform/access';
import { IMPORT_OUTCOMES, IMPORT_STATUSES, isTaken } from '#platform/database';
import { type ListDeclaration, oneOf, type Resource } from '#platform/queries';
import { isProcessed, isQueued } from './advisory-locks';
import { IMPORTS, type ImportSurface } from './definitions';
import { ImportJob, ImportJobSummary, ImportRowResult } from './import-job.dto';

const RESULTS_AT_ONCE = 1_000;
const SURFACES = Object.keys(IMPORTS) as ImportSurface[];

const error = (row: string): string => `jsonb_strip_nulls(jsonb_build_object(
    'row', ${row}.row_number, 'code', ${row}.error_code, 'message', ${row}.error_message, 'externalId', ${row}.external_id))`;

const NOT_REACHED = (row: string): string => `jsonb_strip_nulls(jsonb_build_object(
    'row', ${row}.row_number, 'code', 'NOT_REACHED', 'message', 'The import ended before this row. The row was not written.',
    'externalId', ${row}.external_id))`;

/** The error of a row without an outcome in a failed job: it was not reached. */
export const importRowJson = (row: string, status: string): string => `jsonb_build_object(
      'row', ${row}.row_number, 'outcome', ${row}.outcome,
      'alreadyImported', coalesce(${row}.outcome = 'ALREADY_IMPORTED', false))
    || coalesce(${row}.result, '{}')
    || CASE WHEN ${row}.error_code IS NOT NULL THEN jsonb_build_object('error', ${error(row)})
      WHEN ${row}.outcome IS NULL AND ${status} = 'FAILED' THEN jsonb_build_object('error', ${NOT_REACHED(row)})
      ELSE '{}' END`;

/** Processes and connections that end lose their locks at once, so the locks tell who has a job. */
const WAITING_FOR = `CASE WHEN t.status NOT IN ('QUEUED', 'RUNNING') THEN NULL
      WHEN NOT ${isTaken('imports')} THEN 'worker'
      WHEN ${isQueued('t.id')} THEN 'otherImport'
      WHEN ${isProcessed('t.id')} THEN NULL
      ELSE coalesce((SELECT CASE WHEN a.worker_id IS NOT NULL THEN 'takeover' WHEN a.ends > 0 THEN 'separateProcess' END
        FROM import_attempts a WHERE a.organization_id = t.organization_id AND a.job_id = t.id), 'turn') END`;

/** The properties of a job in every response. */
export const IMPORT_JOB_SUMMARY = `
    t.id AS "jobId",
    t.surface AS "surface",
    t.dry_run AS "dryRun",
    t.undoes_job_id AS "undoes",
    t.status AS "status",
    ${WAITING_FOR} AS "waitingFor",
    t.total_rows AS "totalRows",
    t.succeeded_rows + t.already_imported_rows + t.cancelled_before_rows + t.failed_rows AS "processedRows",
    t.succeeded_rows AS "succeededRows",
    t.already_imported_rows AS "alreadyImportedRows",
    t.cancelled_before_rows AS "cancelledBeforeRows",
    t.failed_rows AS "failedRows",
    t.created_at AS "createdAt",
    t.started_at AS "startedAt",
    t.finished_at AS "finishedAt"`;

/** One job of a surface. */
export const importJob = (surface: ImportSurface): Resource => ({
  schema: ImportJob,
  from: 'import_jobs t',
  where: `t.surface = '${surface}'`,
  select: `${IMPORT_JOB_SUMMARY},
    (SELECT coalesce(jsonb_agg(${error('failed')} ORDER BY failed.row_number), '[]') FROM (
      SELECT * FROM import_rows r
      WHERE r.organization_id = t.organization_id AND r.job_id = t.id AND r.outcome = 'FAILED'
      ORDER BY r.row_number LIMIT 1000) failed) AS "errors",
    CASE WHEN t.finished_at IS NOT NULL AND t.total_rows <= ${RESULTS_AT_ONCE} THEN (
      SELECT jsonb_agg(${importRowJson('r', 't.status')} ORDER BY r.row_number) FROM import_rows r
      WHERE r.organization_id = t.organization_id AND r.job_id = t.id) END AS "results",
    '/v0/${IMPORTS[surface].path}/' || t.id || '/rows' AS "rowsUrl",
    t.failure AS "failure"`,
});

/** A job's rows in the order of the request. */
export const importRows = (surface: ImportSurface): ListDeclaration => ({
  name: `rowsOf${surface}`,
  schemaName: 'PagedImportRows',
  of: {
    schema: ImportRowResult,
    // Rows have no id: the row number is a unique order.
    from: `(SELECT r.*, j.status AS job_status FROM import_rows r JOIN import_jobs j
      ON j.organization_id = r.organization_id AND j.id = r.job_id AND j.surface = '${surface}') t`,
    id: 't.job_id',
    json: importRowJson('t', 't.job_status'),
  },
  within: {
    column: 't.job_id',
    parameter: 'jobId',
    parent: 'import_jobs',
    parentWhere: `AND surface = '${surface}'`,
  },
  order: { sql: 't.row_number', type: 'integer' },
  filters: {
    outcome: {
      parameter: oneOf('Only rows with this outcome.', IMPORT_OUTCOMES),
      where: (value) => `t.outcome = ${value}`,
    },
  },
});

/** The organization's jobs of all surfaces, newest first. */
export const IMPORT_JOBS: ListDeclaration = {
  name: 'importJobs',
  schemaName: 'PagedImportJobs',
  of: {
    schema: ImportJobSummary,
    from: 'import_jobs t',
    // Jobs of imports that the key can follow.
    limits: ({ permissions }, bind) =>
      permissions
        ? `t.surface = ANY (${bind(SURFACES.filter((surface) => permissions.includes(importPermission(surface))))}::text[])`
        : undefined,
    select: IMPORT_JOB_SUMMARY,
  },
  order: { sql: 't.created_at', type: 'timestamptz' },
  newestFirst: true,
  filters: {
    surface: {
      parameter: oneOf('Only jobs of this surface.', SURFACES),
      where: (value) => `t.surface = ${value}`,
    },
    status: {
      parameter: oneOf('Only jobs with this status.', IMPORT_STATUSES),
      where: (value) => `t.status = ${value}`,
    },
  },
};
