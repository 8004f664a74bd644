import { freeText, id, type ListDeclaration, type Resource } from '#platform/queries';
import {
  CORRECTIONS_OF_JOB,
  hasCorrection,
  IMPORT_JOB_SUMMARY,
  IMPORT_JOBS,
  IMPORT_ROWS,
  importErrorJson,
  importRowJson,
  LATER_JOBS,
  LATEST_CORRECTION,
} from './import-resources';
import { StaffImportJob, StaffImportJobDetail, StaffImportRow } from './staff-import-jobs.dto';

/** What `import_jobs_names_idx` contains. */
const WORDS = `lower(coalesce(t.name, '') || ' ' || CASE WHEN t.sent_by_member_id IS NULL THEN coalesce(t.source, '') ELSE '' END)`;

/** A pattern for LIKE that finds a text anywhere. */
const containing = (value: string): string =>
  String.raw`'%' || regexp_replace(lower(btrim(${value}::text)), '([\\%_])', '\\\1', 'g') || '%'`;

/** Who sent job `t`. */
export const SENT_BY = `coalesce((SELECT m.email FROM staff_members m
      WHERE m.organization_id = t.organization_id AND m.id = t.sent_by_member_id), t.source)`;

const JOB = `${IMPORT_JOB_SUMMARY},
    ${SENT_BY} AS "sentBy",
    t.mode AS "mode"`;

export const STAFF_IMPORT_JOBS: ListDeclaration = {
  ...IMPORT_JOBS,
  name: 'staffImportJobs',
  schemaName: 'PagedStaffImportJobs',
  of: { schema: StaffImportJob, from: 'import_jobs t', joins: LATER_JOBS, select: JOB },
  moment: 'createdAt',
  filters: {
    ...IMPORT_JOBS.filters,
    search: {
      parameter: freeText('Only jobs whose name or sender contains this text, in any case.', {
        min: 3,
        max: 100,
      }),
      where: (value, bind, { organizationId }) => `(${WORDS} LIKE ${containing(value)}
        OR t.sent_by_member_id = ANY (ARRAY(SELECT m.id FROM staff_members m
          WHERE m.organization_id = ${bind(organizationId)} AND lower(m.email) LIKE ${containing(value)})))`,
      from: 'own_import_jobs t',
      skewed: true,
    },
    eventOccurrenceId: {
      parameter: id('Only jobs with rows of this event occurrence.'),
      where: (value) => `t.event_occurrence_ids @> ARRAY[${value}::uuid]`,
      from: 'own_import_jobs t',
      skewed: true,
    },
  },
};

const failures = (rows: string, code: string) => `
    (SELECT coalesce(json_agg(json_build_object('code', code, 'rows', rows) ORDER BY rows DESC, code), '[]') FROM (
      SELECT ${code} AS code, count(*) AS rows FROM import_rows r ${rows} GROUP BY 1) failed)`;
const FAILED = `r.organization_id = t.organization_id AND r.job_id = t.id AND r.outcome = 'FAILED'`;

export const STAFF_IMPORT_JOB: Resource = {
  schema: StaffImportJobDetail,
  from: 'import_jobs t',
  joins: LATER_JOBS,
  select: `${JOB},${CORRECTIONS_OF_JOB},
    t.skip_cancelled AS "skipsCancelled",
    CASE WHEN t.mode = 'CHANGE' THEN (SELECT (r.payload -> 'change') - 'bibNumber' FROM import_rows r
      WHERE r.organization_id = t.organization_id AND r.job_id = t.id AND r.row_number = 0) END AS "change",
    t.failure AS "failure",
    (SELECT u.id FROM import_jobs u WHERE u.organization_id = t.organization_id AND u.undoes_job_id = t.id
      ORDER BY u.created_at DESC LIMIT 1) AS "undoneBy",
    ${failures(`WHERE ${FAILED}`, 'r.error_code')} AS "failures",
    CASE WHEN t.corrects_job_id IS NULL THEN ${failures(
      `LEFT JOIN ${LATEST_CORRECTION('r')} latest ON true WHERE ${FAILED} AND NOT ${hasCorrection('r')}`,
      'coalesce(latest.error_code, r.error_code)',
    )} ELSE '[]' END AS "openFailures"`,
};

/** With `LARGEST_PAGE` rows, a page stays under 24 MB. */
const LARGEST_SENT = 15_000;

const LARGEST_PAGE = 400;

export const STAFF_IMPORT_ROWS: ListDeclaration = {
  name: 'staffImportRows',
  size: { default: 100, max: LARGEST_PAGE },
  schemaName: 'PagedStaffImportRows',
  of: {
    schema: StaffImportRow,
    from: `(SELECT r.*, j.status AS job_status FROM import_rows r JOIN import_jobs j
      ON j.organization_id = r.organization_id AND j.id = r.job_id) t`,
    id: 't.job_id',
    joins: `LEFT JOIN ${LATEST_CORRECTION('t')} latest ON true
      CROSS JOIN LATERAL (SELECT CASE WHEN latest.job_id IS NULL THEN t.payload ELSE latest.payload END AS payload) last`,
    json: (_values, _bind, caller) => `${importRowJson('t', 't.job_status', caller)} || jsonb_build_object(
      'sent', CASE WHEN octet_length(last.payload::text) <= ${LARGEST_SENT} THEN nullif(last.payload, '{}') END,
      'correction', CASE WHEN latest.job_id IS NOT NULL THEN jsonb_build_object(
          'jobId', latest.job_id, 'row', latest.row_number, 'outcome', latest.outcome)
        || CASE WHEN latest.error_code IS NULL THEN '{}' ELSE jsonb_build_object('error', ${importErrorJson('latest')}) END END)`,
  },
  within: { column: 't.job_id', parent: 'import_jobs' },
  order: { sql: 't.row_number', type: 'integer' },
  filters: {
    ...IMPORT_ROWS.filters,
    code: {
      parameter: freeText('Only rows whose latest attempt failed with this code.', { max: 100 }),
      where: (value) => `(CASE WHEN t.outcome = 'FAILED' THEN coalesce(
        (SELECT latest.error_code FROM ${LATEST_CORRECTION('t')} latest WHERE latest.outcome = 'FAILED'), t.error_code) END) = ${value}`,
    },
  },
};
