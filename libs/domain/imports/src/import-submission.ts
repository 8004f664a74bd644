import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '#platform/access';
import { type ClaimedKey, IdempotencyKeys } from '#platform/access';
import { Database, newId, type Row, statement, typed } from '#platform/database';
import type { ImportMode } from '#platform/import-rows';
import { JobProducer } from '#platform/queues';
import { errors } from '#platform/validation';
import { BatchChecker } from './check/batch-checker';
import type { CheckResult } from './check/check-batch';
import { lockCorrected } from './corrections';
import { IMPORTS, type ImportSurface } from './definitions';
import type { AcceptedImport } from './import-job.dto';
import { ImportMetrics } from './import-metrics';
import { IMPORTED_BY, LATEST_CORRECTION } from './import-resources';
import { insertImportRows } from './insert-import-rows';

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
  },
  sql: `
    SELECT id AS "jobId", surface, name, corrects_job_id AS corrects, dry_run AS "dryRun", total_rows AS "totalRows",
      to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt"
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
  ],
  columns: { createdAt: 'text' },
  sql: `
    INSERT INTO import_jobs (organization_id, id, surface, mode, total_rows, request_id, source, skip_cancelled, dry_run, partner_id,
      name, corrects_job_id, sent_by_member_id, trial_job_id, imported_trial_id)
    SELECT $1, $2, $3, $4, $5, $6,
      coalesce((SELECT name FROM api_keys WHERE organization_id = $1 AND id = $7), CASE WHEN member.id IS NOT NULL THEN 'console' END),
      $8, $9, $10, $11, $12, member.id, $13, $14
    FROM (VALUES (1)) one LEFT JOIN staff_members member ON member.organization_id = $1 AND member.id = $7
    RETURNING to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt"
  `,
});

/** The first dry run of those that $2 continues. A dry run is deleted a day after its end. */
const TRIAL = statement({
  parameters: ['uuid', 'uuid', 'text', 'uuid?'],
  columns: { id: 'uuid' },
  sql: `
    SELECT coalesce(j.trial_job_id, j.id) AS id FROM import_jobs j
    JOIN import_jobs first ON first.organization_id = j.organization_id AND first.id = coalesce(j.trial_job_id, j.id)
    WHERE j.organization_id = $1 AND j.id = $2 AND j.surface = $3 AND j.partner_id IS NOT DISTINCT FROM $4 AND j.dry_run
      AND j.status = 'COMPLETED' AND first.finished_at > statement_timestamp() - interval '12 hours'
    FOR KEY SHARE OF first
  `,
});

/**
 * Which corrections a dry run has, and how many of its rows still have content: what an import of it must know. $1: the organization,
 * $2: the dry run.
 */
const VERSION = `(SELECT count(*) FROM import_jobs c WHERE c.organization_id = $1 AND c.corrects_job_id = $2)
      || '/' || (SELECT count(*) FROM import_rows r WHERE r.organization_id = $1 AND (r.job_id = $2 OR r.corrects_job_id = $2)
        AND r.payload <> '{}')`;

const READ_TRIAL = statement({
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
    version: 'text',
  },
  sql: `
    SELECT j.mode, j.name, j.skip_cancelled AS "skipCancelled", j.partner_id AS "partnerId", j.dry_run AS "dryRun",
      j.corrects_job_id IS NOT NULL AS corrects, j.status IN ('COMPLETED', 'FAILED') AS finished, j.emptied_rows > 0 AS emptied,
      ${IMPORTED_BY('$1', '$2')} AS "importedBy", ${VERSION} AS version
    FROM import_jobs j WHERE j.organization_id = $1 AND j.id = $2 AND j.surface = $3
  `,
});
/** Of several requests at the same time, one makes the job. Corrections wait, and are then refused. */
const LOCK_TRIAL = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'SELECT FROM import_jobs WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
});

/** The rows of a dry run as JSON, each as its newest correction sent it. */
const TRIAL_ROWS = statement({
  parameters: ['uuid', 'uuid'],
  columns: { rows: 'text?' },
  sql: `
    SELECT string_agg(payload::text, ',' ORDER BY row_number) AS rows FROM (
      SELECT r.row_number, coalesce(latest.payload, r.payload) AS payload FROM import_rows r
      LEFT JOIN ${LATEST_CORRECTION('r')} latest ON true
      WHERE r.organization_id = $1 AND r.job_id = $2
    ) sent WHERE payload <> '{}'
  `,
});

/** How often the rows of a dry run are read again, if corrections are sent meanwhile. */
const TRIES = 3;

/** The options of an import besides its rows. */
export interface ImportOptions {
  /** Skips rows whose id belonged to a cancelled booking. */
  skipCancelled?: boolean;
  /** Finds the outcome of each row, and writes nothing. */
  dryRun?: boolean;
  /** Of a dry run: an earlier one, of rows before these, whose takings count. */
  continues?: string;
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
  name: string | undefined;
  requestId: string;
  partnerId: string | null;
  /** The dry run whose rows it imports. */
  importedTrialId?: string;
}

const NOT_CONTINUED =
  'continues must be the id of a dry run of this import that was completed in the last 12 hours';

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
  ) {}

  /**
   * @throws ApiError 400 with the row and field, or the rows that can't be corrected, in which case nothing is stored; 400 for an
   *   Idempotency-Key that was used with another body
   */
  async accept(caller: Caller, request: ImportRequest): Promise<AcceptedImport> {
    const { organizationId, partner } = caller;
    const { surface, requestId } = request;
    const partnerId = partner?.id ?? null;
    // A partner has keys of its own.
    const operation = partnerId ? `${request.operation} ${partnerId}` : request.operation;
    const key = this.keys.read(request.idempotencyKey);
    const { result, bytes, hash: bodyHash } = await this.checker.check(organizationId, surface, request.body);
    if ('problems' in result) throw errors.invalidBody(result.problems);
    const hash = hashOf(bodyHash, { ...request.options, updates: request.mode === 'UPDATE' });
    const claim = key === undefined ? undefined : { organizationId, operation, key, hash };
    const jobId = newId();
    const accepted = await this.database.of(organizationId).transaction(async (manager) => {
      if (claim && !(await this.keys.claim(manager, claim, jobId))) return undefined;
      return storeImport(manager, caller, { ...request, jobId, partnerId }, withoutMark(bytes), result);
    });
    if (!accepted) {
      const first = await this.firstAnswer(claim as ClaimedKey);
      this.logger.log({ msg: 'import accepted before', requestId, jobId: first.jobId, surface });
      return first;
    }
    this.begin(organizationId, surface, requestId, accepted);
    return accepted;
  }

  /**
   * Imports a dry run: its rows, each as it was corrected last, without those whose content was removed. A dry run is imported
   * once: a repeated request answers the same job.
   *
   * @returns the id of the job that imports it
   * @throws ApiError 404 if there is no such job; 400 if it can't be imported, or corrections make two of its rows the same
   */
  async importTrial(
    caller: Caller,
    { surface, trialId, requestId }: { surface: ImportSurface; trialId: string; requestId: string },
  ): Promise<string> {
    const { organizationId } = caller;
    const key = [organizationId, trialId, surface] as const;
    const on = this.database.of(organizationId);
    for (let left = TRIES; left > 0; left -= 1) {
      const trial = permitted(await READ_TRIAL.first(on, key));
      if (trial.importedBy) return trial.importedBy;
      const { rows } = await TRIAL_ROWS.one(on, [organizationId, trialId]);
      if (rows === null) throw errors.invalid(ROWS_REMOVED);
      const body = Buffer.from(`{${JSON.stringify(IMPORTS[surface].collection)}:[${rows}]}`);
      const { result, bytes } = await this.checker.check(organizationId, surface, body);
      if ('problems' in result) throw errors.invalidBody(result.problems);
      const jobId = newId();
      const made = await on.transaction(async (manager) => {
        await LOCK_TRIAL.run(manager, [organizationId, trialId]);
        // In a statement after the lock, so that it sees what was committed while this transaction waited.
        const { mode, skipCancelled, partnerId, ...now } = permitted(await READ_TRIAL.first(manager, key));
        if (now.importedBy) return now.importedBy;
        if (now.version !== trial.version) return undefined;
        const job = {
          jobId,
          surface,
          mode,
          options: { skipCancelled },
          name: now.name ?? undefined,
          requestId,
        };
        return storeImport(manager, caller, { ...job, partnerId, importedTrialId: trialId }, bytes, result);
      });
      if (typeof made === 'string') return made;
      if (made) {
        this.begin(organizationId, surface, requestId, made);
        return jobId;
      }
    }
    throw errors.invalid('The dry run is being corrected. Send the request again.');
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

  /** The response of the first request with the key. */
  private async firstAnswer(claim: ClaimedKey): Promise<AcceptedImport> {
    const { recordId: jobId } = await this.keys.first(claim);
    const job = await FIRST_JOB.one(this.database.of(claim.organizationId), [claim.organizationId, jobId]);
    return acceptedOf(job);
  }
}

/** Stores a job with the rows of a checked body. A worker's sweeper finds it within seconds, if nothing else announces it. */
export async function storeImport(
  manager: EntityManager,
  { organizationId, keyId }: Pick<Caller, 'organizationId' | 'keyId'>,
  { jobId, surface, mode, options, name: given, requestId, partnerId, importedTrialId }: NewJob,
  body: Buffer,
  { rows: totalRows, corrects }: CheckedBatch,
): Promise<AcceptedImport> {
  const { collection, externalId } = IMPORTS[surface];
  const { skipCancelled = false, dryRun = false, continues } = options;
  const name = given?.trim() || null;
  const corrected = corrects
    ? await lockCorrected(manager, { organizationId, surface, partnerId, dryRun }, corrects)
    : undefined;
  const trial = continues
    ? await TRIAL.first(manager, [organizationId, continues, surface, partnerId])
    : undefined;
  if (continues && !trial) throw errors.invalid(NOT_CONTINUED);
  const { createdAt } = await INSERT_JOB.one(manager, [
    organizationId,
    jobId,
    surface,
    mode,
    totalRows,
    requestId,
    keyId,
    skipCancelled,
    dryRun,
    partnerId,
    name,
    corrected?.jobId ?? null,
    trial?.id ?? null,
    importedTrialId ?? null,
  ]);
  const correctsJobId = corrected?.counts ? corrected.jobId : null;
  await insertImportRows(
    manager,
    [organizationId, jobId, collection, externalId ?? '', correctsJobId, corrected?.rows ?? null],
    body,
  );
  return acceptedOf({
    jobId,
    surface,
    name,
    corrects: corrected?.jobId ?? null,
    dryRun,
    totalRows,
    createdAt,
  });
}

function permitted(trial: Row<typeof READ_TRIAL> | undefined): Row<typeof READ_TRIAL> {
  if (!trial) throw errors.notFound();
  if (!trial.dryRun) throw errors.invalid('Only dry runs can be imported.');
  if (trial.corrects)
    throw errors.invalid(
      'The dry run is a correction. Import the dry run that it corrects, or send the correction without dryRun.',
    );
  if (!trial.finished) throw errors.invalid('The dry run is not finished. Wait until it is, or cancel it.');
  if (trial.emptied && !trial.importedBy) throw errors.invalid(ROWS_REMOVED);
  return trial;
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
  job: Omit<AcceptedImport, 'status' | 'jobUrl' | 'surface'> & { surface: string },
): AcceptedImport => ({
  ...job,
  status: 'QUEUED',
  jobUrl: `/v0/${IMPORTS[job.surface as ImportSurface].path}/${job.jobId}`,
});
