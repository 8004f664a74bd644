import { IMPORT_OUTCOMES } from '#platform/database';
import { freeText, type ListDeclaration, oneOf, type Resource } from '#platform/queries';
import { IMPORT_JOB_SUMMARY, IMPORT_JOBS, importRowJson } from './import-resources';
import { StaffImportJob, StaffImportJobDetail, StaffImportRow } from './staff-import-jobs.dto';

const JOB = `${IMPORT_JOB_SUMMARY},
    t.source AS "sentBy"`;

export const STAFF_IMPORT_JOBS: ListDeclaration = {
  ...IMPORT_JOBS,
  name: 'staffImportJobs',
  schemaName: 'PagedStaffImportJobs',
  of: { schema: StaffImportJob, from: 'import_jobs t', select: JOB },
};

export const STAFF_IMPORT_JOB: Resource = {
  schema: StaffImportJobDetail,
  from: 'import_jobs t',
  select: `${JOB},
    t.mode AS "mode",
    t.failure AS "failure",
    (SELECT u.id FROM import_jobs u WHERE u.organization_id = t.organization_id AND u.undoes_job_id = t.id
      ORDER BY u.created_at DESC LIMIT 1) AS "undoneBy",
    (SELECT coalesce(json_agg(json_build_object('code', code, 'rows', rows) ORDER BY rows DESC, code), '[]') FROM (
      SELECT r.error_code AS code, count(*) AS rows FROM import_rows r
      WHERE r.organization_id = t.organization_id AND r.job_id = t.id AND r.outcome = 'FAILED'
      GROUP BY 1) failed) AS "failures"`,
};

/** A page has up to 500 rows. */
const LARGEST_SENT = 15_000;

export const STAFF_IMPORT_ROWS: ListDeclaration = {
  name: 'staffImportRows',
  schemaName: 'PagedStaffImportRows',
  of: {
    schema: StaffImportRow,
    from: `(SELECT r.*, j.status AS job_status FROM import_rows r JOIN import_jobs j
      ON j.organization_id = r.organization_id AND j.id = r.job_id) t`,
    id: 't.job_id',
    json: `${importRowJson('t', 't.job_status')} || jsonb_build_object('sent',
      CASE WHEN octet_length(t.payload::text) <= ${LARGEST_SENT} THEN nullif(t.payload, '{}') END)`,
  },
  within: { column: 't.job_id', parent: 'import_jobs' },
  order: { sql: 't.row_number', type: 'integer' },
  filters: {
    outcome: {
      parameter: oneOf('Only rows with this outcome.', IMPORT_OUTCOMES),
      where: (value) => `t.outcome = ${value}`,
    },
    code: {
      parameter: freeText('Only rows that failed with this code.', { max: 100 }),
      where: (value) => `t.error_code = ${value}`,
    },
  },
};
