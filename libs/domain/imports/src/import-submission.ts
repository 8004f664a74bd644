import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '#platform/access';
import { type ClaimedKey, IdempotencyKeys } from '#platform/access';
import { SETTINGS, type Settings } from '#platform/config';
import { Database, newId, type Row, statement, typed } from '#platform/database';
import { failed, type ImportMode } from '#platform/import-rows';
import { JobProducer } from '#platform/queues';
import { errors, MOST_PROBLEMS } from '#platform/validation';
import { BatchChecker } from './check/batch-checker';
import { type CheckResult, repeatedRow } from './check/check-batch';
import { lockCorrected } from './corrections';
import { IMPORTS, type ImportSurface } from './definitions';
import { forgetErased } from './erased-rows';
import type { AcceptedImport, ImportStatus } from './import-job.dto';
import { ImportMetrics } from './import-metrics';
import { IMPORTED_BY, LATEST_CORRECTION } from './import-resources';
import { insertImportRows } from './insert-import-rows';
import { writeOutcomes } from './job-chunk';

const FIRST_JOB = statement({
  parameters: ['uuid', 'uuid?'],
  columns: {
    jobId: 'uuid',
    surface: 'text',
    name: 'text?',
    corrects: 'uuid?',
    dryRun: 'boolean',
    totalRows: 'int',
    createdAt: 'text',
    status: typed<ImportStatus>('text'),
  },
  sql: `
    SELECT id AS "jobId", surface, name, corrects_job_id AS corrects, dry_run AS "dryRun", total_rows AS "totalRows",
      to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt", status
    FROM import_jobs WHERE organization_id = $1 AND id = $2
  `,
  prepared: true,
});

const INSERT_JOB = statement({
  parameters: [
    'uuid',
    'uuid',
    'text',
    'text',
    'int',
    'text',
    'uuid',
    'boolean',
    'boolean',
    'uuid?',
    'text?',
    'uuid?',
    'uuid?',
    'uuid?',
    'int',
  ],
  columns: { createdAt: 'text' },
  sql: `
    INSERT INTO import_jobs (organization_id, id, surface, mode, total_rows, request_id, source, skip_cancelled, dry_run, partner_id,
      name, corrects_job_id, sent_by_member_id, dry_run_job_id, imported_dry_run_id, failed_rows)
    SELECT $1, $2, $3, $4, $5, $6,
      coalesce((SELECT name FROM api_keys WHERE organization_id = $1 AND id = $7), CASE WHEN member.id IS NOT NULL THEN 'console' END),
      $8, $9, $10, $11, $12, member.id, $13, $14, $15
    FROM (VALUES (1)) one LEFT JOIN staff_members member ON member.organization_id = $1 AND member.id = $7
    RETURNING to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt"
  `,
});

/** The first dry run of those that $2 continues. A dry run is deleted a day after its end. */
const DRY_RUN = statement({
  parameters: ['uuid', 'uuid', 'text', 'uuid?'],
  columns: { id: 'uuid' },
  sql: `
    SELECT coalesce(j.dry_run_job_id, j.id) AS id FROM import_jobs j
    JOIN import_jobs first ON first.organization_id = j.organization_id AND first.id = coalesce(j.dry_run_job_id, j.id)
    WHERE j.organization_id = $1 AND j.id = $2 AND j.surface = $3 AND j.partner_id IS NOT DISTINCT FROM $4 AND j.dry_run
      AND j.status = 'COMPLETED' AND first.finished_at > statement_timestamp() - interval '12 hours'
    FOR KEY SHARE OF first
  `,
});

const READ_DRY_RUN = statement({
  parameters: ['uuid', 'uuid', 'text'],
  columns: {
    mode: typed<ImportMode>('text'),
    name: 'text?',
    skipCancelled: 'boolean',
    partnerId: 'uuid?',
    dryRun: 'boolean',
    corrects: 'boolean',
    finished: 'boolean',
    emptied: 'boolean',
    importedBy: 'uuid?',
  },
  sql: `
    SELECT j.mode, j.name, j.skip_cancelled AS "skipCancelled", j.partner_id AS "partnerId", j.dry_run AS "dryRun",
      j.corrects_job_id IS NOT NULL AS corrects, j.status IN ('COMPLETED', 'FAILED') AS finished, j.emptied_rows > 0 AS emptied,
      ${IMPORTED_BY('$1', '$2')} AS "importedBy"
    FROM import_jobs j WHERE j.organization_id = $1 AND j.id = $2 AND j.surface = $3
  `,
});
/** Of several requests at the same time, one makes the job. Corrections wait, and are then refused. */
const LOCK_DRY_RUN = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'SELECT FROM import_jobs WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
});

/** The rows of the dry run $2, each as its newest correction sent it, without those whose content was removed. */
const SENT = `(
      SELECT r.row_number, last.external_id, last.payload, last.error_code IS NOT DISTINCT FROM 'INVALID_ROW' AS invalid,
        last.error_message, last.error_path
      FROM import_rows r LEFT JOIN ${LATEST_CORRECTION('r')} latest ON true
      JOIN import_rows last ON last.organization_id = r.organization_id AND last.job_id = coalesce(latest.job_id, r.job_id)
        AND last.row_number = coalesce(latest.row_number, r.row_number)
      WHERE r.organization_id = $1 AND r.job_id = $2 AND last.payload <> '{}'
    ) sent`;

/** Valid rows that corrections made the same, as `identityOf`. $3: the properties of the identity, $4: those that are compared. */
const SAME_ROWS = statement({
  parameters: ['uuid', 'uuid', 'text[]', 'text[]'],
  columns: { row: 'int', first: 'int' },
  sql: `
    SELECT row_number AS row, first FROM (
      SELECT row_number, min(row_number) OVER (PARTITION BY identity) AS first
      FROM ${SENT} CROSS JOIN LATERAL (
        SELECT array_agg(CASE WHEN name = ANY ($4::text[]) THEN compared(payload ->> name) ELSE trimmed(payload ->> name) END ORDER BY place)
          AS identity
        FROM unnest($3::text[]) WITH ORDINALITY properties (name, place)
      ) identified
      WHERE NOT invalid AND array_to_string(identity, '') <> ''
    ) numbered WHERE row_number > first ORDER BY row_number LIMIT ${MOST_PROBLEMS}
  `,
});

/** In PostgreSQL only, because corrections can be much larger than a body. Invalid rows have failed already. */
const COPY_ROWS = statement({
  parameters: ['uuid', 'uuid', 'uuid'],
  columns: { rows: 'int' },
  sql: `
    WITH copied AS (
      INSERT INTO import_rows (organization_id, job_id, row_number, external_id, payload, outcome, error_code, error_message, error_path)
      SELECT $1, $3, row_number() OVER (ORDER BY row_number) - 1, external_id, payload, CASE WHEN invalid THEN 'FAILED' END,
        CASE WHEN invalid THEN 'INVALID_ROW' END, CASE WHEN invalid THEN error_message END, CASE WHEN invalid THEN error_path END
      FROM ${SENT}
      RETURNING outcome
    )
    UPDATE import_jobs SET total_rows = (SELECT count(*) FROM copied), failed_rows = (SELECT count(outcome) FROM copied)
    WHERE organization_id = $1 AND id = $3
    RETURNING total_rows AS rows
  `,
});

/** The options of an import besides its rows. */
export interface ImportOptions {
  /** Skips rows whose id belonged to a cancelled booking. */
  skipCancelled?: boolean;
  /** Finds the outcome of each row, and writes nothing. */
  dryRun?: boolean;
  /** Of a dry run: an earlier one, of rows before these, whose takings count. */
  continues?: string;
  /** Keeps invalid rows as failed ones, and processes the others. */
  keepInvalid?: boolean;
}

export interface ImportRequest {
  surface: ImportSurface;
  mode: ImportMode;
  options: ImportOptions;
  /** What the sender calls it, such as the name of a file. */
  name: string | undefined;
  /** The name of the operation, which is the scope of an Idempotency-Key. */
  operation: string;
  body: Buffer;
  idempotencyKey: string | undefined;
  /** The request id, which logs of api and worker contain. */
  requestId: string;
}

type CheckedBatch = Exclude<CheckResult, { problems: unknown }>;

/** A job that is inserted. */
interface NewJob {
  jobId: string;
  surface: ImportSurface;
  mode: ImportMode;
  options: ImportOptions;
  name: string | null | undefined;
  requestId: string;
  partnerId: string | null;
}

const NOT_CONTINUED =
  'continues must be the id of a dry run of this import that was completed in the last 12 hours';

/** The code of rows that are invalid: a retry leaves them out. */
const INVALID_ROW = 'INVALID_ROW';
/** Of one statement, because its parameters are copied while other requests wait. */
const OUTCOMES_AT_ONCE = 1_000;

const ROWS_REMOVED = 'The content of the rows was removed. Send the rows again.';

/** Accepts imports: validates them completely and commits them before the response. */
@Injectable()
export class ImportSubmission {
  private readonly logger = new Logger('imports');

  constructor(
    private readonly database: Database,
    private readonly checker: BatchChecker,
    private readonly producer: JobProducer,
    private readonly metrics: ImportMetrics,
    private readonly keys: IdempotencyKeys,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @throws ApiError 400 with the row and field, unless invalid rows are kept, or with the rows that can't be corrected, in which case
   *   nothing is stored; 400 for an Idempotency-Key that was used with another body
   */
  async accept(caller: Caller, request: ImportRequest): Promise<AcceptedImport> {
    const { organizationId, partner } = caller;
    const { surface, requestId } = request;
    const partnerId = partner?.id ?? null;
    // A partner has keys of its own.
    const operation = partnerId ? `${request.operation} ${partnerId}` : request.operation;
    const key = this.keys.read(request.idempotencyKey);
    const {
      result,
      bytes,
      hash: bodyHash,
    } = await this.checker.check(organizationId, surface, request.body, request.options.keepInvalid);
    if ('problems' in result) throw errors.invalidBody(result.problems);
    const { invalid = [] } = result;
    const hash = hashOf(bodyHash, { ...request.options, updates: request.mode === 'UPDATE' });
    const claim = key === undefined ? undefined : { organizationId, operation, key, hash };
    const jobId = newId();
    const accepted = await this.database.of(organizationId).transaction(async (manager) => {
      if (claim && !(await this.keys.claim(manager, claim, jobId))) return undefined;
      const stored = await storeImport(
        manager,
        caller,
        { ...request, jobId, partnerId },
        withoutMark(bytes),
        result,
      );
      if (invalid.length > 0) {
        const of = { surface, mode: request.mode, partnerId: stored.partnerId };
        await forgetErased(manager, { organizationId, jobId }, this.settings.ERASURE_SECRET, of);
      }
      return stored.accepted;
    });
    if (!accepted) {
      const first = await this.firstAnswer(claim as ClaimedKey);
      this.logger.log({ msg: 'import accepted before', requestId, jobId: first.jobId, surface });
      return first;
    }
    this.begin(organizationId, surface, requestId, accepted);
    if (invalid.length > 0 && !accepted.dryRun) {
      this.metrics.rows.inc({ surface, outcome: 'FAILED' }, invalid.length);
      this.metrics.rowErrors.inc({ surface, code: INVALID_ROW }, invalid.length);
    }
    return accepted;
  }

  /**
   * Imports a dry run: its rows, each as it was corrected last, without those whose content was removed. A dry run is imported
   * once: a repeated request answers the same job.
   *
   * @returns the id of the job that imports it
   * @throws ApiError 404 if there is no such job; 400 if it can't be imported, or corrections made two of its rows the same
   */
  async importDryRun(
    caller: Caller,
    { surface, dryRunId, requestId }: { surface: ImportSurface; dryRunId: string; requestId: string },
  ): Promise<string> {
    const { organizationId } = caller;
    const jobId = newId();
    const made = await this.database.of(organizationId).transaction(async (manager) => {
      await LOCK_DRY_RUN.run(manager, [organizationId, dryRunId]);
      // In a statement after the lock, so that it sees what was committed while this transaction waited.
      const dryRun = permitted(await READ_DRY_RUN.first(manager, [organizationId, dryRunId, surface]));
      if (dryRun.importedBy) return dryRun.importedBy;
      const { collection, externalId, identity } = IMPORTS[surface];
      const compared = Object.keys(identity).filter((name) => identity[name as never] === 'compared');
      const same = await SAME_ROWS.rows(manager, [organizationId, dryRunId, Object.keys(identity), compared]);
      if (same.length > 0)
        throw errors.invalidBody(
          same.map(({ row, first }) => repeatedRow({ collection, externalId }, row, first)),
        );
      const { mode, name, partnerId, skipCancelled } = dryRun;
      const job = { jobId, surface, mode, options: { skipCancelled }, name, requestId, partnerId };
      const { createdAt } = await insertJob(manager, caller, {
        ...job,
        totalRows: 0,
        importedDryRunId: dryRunId,
      });
      const { rows: totalRows } = await COPY_ROWS.one(manager, [organizationId, dryRunId, jobId]);
      if (totalRows === 0) throw errors.invalid(ROWS_REMOVED);
      return acceptedOf({ jobId, surface, name, corrects: null, dryRun: false, totalRows, createdAt });
    });
    if (typeof made === 'string') return made;
    this.begin(organizationId, surface, requestId, made);
    return jobId;
  }

  private begin(
    organizationId: string,
    surface: ImportSurface,
    requestId: string,
    { jobId, dryRun, totalRows: rows }: AcceptedImport,
  ): void {
    this.logger.log({ msg: 'import accepted', requestId, jobId, surface, dryRun, rows });
    this.metrics.accepted.inc({ surface });
    this.producer.enqueue('imports', { organizationId }, requestId);
  }

  /** The response of the first request with the key, with the job's status now. */
  private async firstAnswer(claim: ClaimedKey): Promise<AcceptedImport> {
    const { recordId: jobId } = await this.keys.first(claim);
    const job = await FIRST_JOB.one(this.database.of(claim.organizationId), [claim.organizationId, jobId]);
    return acceptedOf(job);
  }
}

/**
 * Stores a job with the rows of a checked body. A worker's sweeper finds it within seconds, if nothing else announces it.
 *
 * @returns the job, and its partner: of a correction, that of the job that it corrects
 */
export async function storeImport(
  manager: EntityManager,
  sender: Sender,
  { name: given, ...job }: NewJob,
  body: Buffer,
  { rows: totalRows, corrects, invalid = [] }: CheckedBatch,
): Promise<{ accepted: AcceptedImport; partnerId: string | null }> {
  const { organizationId } = sender;
  const { jobId, surface, options } = job;
  const { collection, externalId } = IMPORTS[surface];
  const { dryRun = false, continues } = options;
  const name = given?.trim() || null;
  const corrected = corrects
    ? await lockCorrected(manager, { organizationId, surface, partnerId: job.partnerId, dryRun }, corrects)
    : undefined;
  const { partnerId } = corrected ?? job;
  const continued = continues
    ? await DRY_RUN.first(manager, [organizationId, continues, surface, partnerId])
    : undefined;
  if (continues && !continued) throw errors.invalid(NOT_CONTINUED);
  const { createdAt } = await insertJob(manager, sender, {
    ...job,
    ...{ partnerId, name, totalRows },
    failedRows: invalid.length,
    correctsJobId: corrected?.jobId,
    dryRunId: continued?.id ?? corrected?.dryRunId,
  });
  const correctsJobId = corrected?.counts ? corrected.jobId : null;
  await insertImportRows(
    manager,
    [organizationId, jobId, collection, externalId ?? '', correctsJobId, corrected?.rows ?? null],
    body,
  );
  for (let at = 0; at < invalid.length; at += OUTCOMES_AT_ONCE) {
    const some = invalid.slice(at, at + OUTCOMES_AT_ONCE);
    const outcomes = some.map(({ row, path, message }) => failed(row, { path, message, code: INVALID_ROW }));
    await writeOutcomes(manager, [organizationId, jobId], outcomes);
  }
  const accepted = { jobId, surface, name, corrects: corrected?.jobId ?? null, dryRun, totalRows, createdAt };
  return { accepted: acceptedOf(accepted), partnerId };
}

type Sender = Pick<Caller, 'organizationId' | 'keyId'>;

const insertJob = (
  manager: EntityManager,
  { organizationId, keyId }: Sender,
  {
    options: { skipCancelled = false, dryRun = false },
    ...job
  }: NewJob & {
    totalRows: number;
    failedRows?: number;
    correctsJobId?: string;
    dryRunId?: string;
    importedDryRunId?: string;
  },
): Promise<{ createdAt: string }> =>
  INSERT_JOB.one(manager, [
    organizationId,
    job.jobId,
    job.surface,
    job.mode,
    job.totalRows,
    job.requestId,
    keyId,
    skipCancelled,
    dryRun,
    job.partnerId,
    job.name ?? null,
    job.correctsJobId ?? null,
    job.dryRunId ?? null,
    job.importedDryRunId ?? null,
    job.failedRows ?? 0,
  ]);

function permitted(job: Row<typeof READ_DRY_RUN> | undefined): Row<typeof READ_DRY_RUN> {
  if (!job) throw errors.notFound();
  if (!job.dryRun) throw errors.invalid('Only dry runs can be imported.');
  if (job.corrects)
    throw errors.invalid(
      'The dry run is a correction. Import the dry run that it corrects, or send the correction without dryRun.',
    );
  if (!job.finished) throw errors.invalid('The dry run is not finished. Wait until it is, or cancel it.');
  if (job.emptied && !job.importedBy) throw errors.invalid(ROWS_REMOVED);
  return job;
}

/** The same body with other options is another request. */
const hashOf = (bodyHash: Buffer, options: object): Buffer => {
  const given = Object.entries(options).filter(([, value]) => value);
  return createHash('sha256').update(bodyHash).update(JSON.stringify(given.sort())).digest();
};

/** Removes a byte order mark, which PostgreSQL would treat as text. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

const acceptedOf = (
  job: Omit<AcceptedImport, 'status' | 'jobUrl' | 'surface'> & { surface: string; status?: ImportStatus },
): AcceptedImport => ({
  status: 'QUEUED',
  ...job,
  jobUrl: `/v0/${IMPORTS[job.surface as ImportSurface].path}/${job.jobId}`,
});
