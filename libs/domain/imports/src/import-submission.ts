import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '#platform/access';
import { type ClaimedKey, IdempotencyKeys } from '#platform/access';
import { Database, newId, statement } from '#platform/database';
import type { ImportMode } from '#platform/import-rows';
import { JobProducer } from '#platform/queues';
import { errors } from '#platform/validation';
import { BatchChecker } from './check/batch-checker';
import { DailyIntake } from './daily-intake';
import { IMPORTS, type ImportSurface } from './definitions';
import type { AcceptedImport } from './import-job.dto';
import { ImportMetrics } from './import-metrics';
import { insertImportRows } from './insert-import-rows';

const FIRST_JOB = statement({
  parameters: ['uuid', 'uuid?'],
  columns: { jobId: 'uuid', surface: 'text', dryRun: 'boolean', totalRows: 'int', createdAt: 'text' },
  sql: `
    SELECT id AS "jobId", surface, dry_run AS "dryRun", total_rows AS "totalRows",
      to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt"
    FROM import_jobs WHERE organization_id = $1 AND id = $2
  `,
  prepared: true,
});

const INSERT_JOB = statement({
  parameters: ['uuid', 'uuid', 'text', 'text', 'int', 'text', 'uuid', 'boolean', 'boolean', 'uuid?'],
  columns: { createdAt: 'text' },
  sql: `
    INSERT INTO import_jobs (organization_id, id, surface, mode, total_rows, request_id, source, skip_cancelled, dry_run, partner_id)
    VALUES ($1, $2, $3, $4, $5, $6, coalesce(
       (SELECT name FROM api_keys WHERE organization_id = $1 AND id = $7),
       (SELECT 'console' FROM staff_members WHERE organization_id = $1 AND id = $7)), $8, $9, $10)
    RETURNING to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt"
  `,
});

/** The options of an import besides its rows. */
export interface ImportOptions {
  /** Skips rows whose id belonged to a cancelled booking. */
  skipCancelled?: boolean;
  /** Finds the outcome of each row, and writes nothing. */
  dryRun?: boolean;
}

export interface ImportRequest {
  surface: ImportSurface;
  mode: ImportMode;
  options: ImportOptions;
  /** The name of the operation, which is the scope of an Idempotency-Key. */
  operation: string;
  body: Buffer;
  idempotencyKey: string | undefined;
  /** The request id, which logs of api and worker contain. */
  requestId: string;
}

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
    private readonly intake: DailyIntake,
  ) {}

  /**
   * @throws ApiError 400 with the row and field, in which case nothing is stored; 400 for an Idempotency-Key that was used
   *   with another body
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
      return this.store(manager, caller, jobId, { ...request, body: withoutMark(bytes) }, result.rows);
    });
    if (!accepted) {
      const first = await this.firstAnswer(claim as ClaimedKey);
      this.logger.log({ msg: 'import accepted before', requestId, jobId: first.jobId, surface });
      return first;
    }
    this.logger.log({
      msg: 'import accepted',
      requestId,
      jobId,
      surface,
      dryRun: accepted.dryRun,
      rows: accepted.totalRows,
    });
    this.metrics.accepted.inc({ surface });
    this.producer.enqueue('imports', { organizationId }, requestId);
    return accepted;
  }

  private async store(
    manager: EntityManager,
    sender: Caller,
    jobId: string,
    { surface, mode, options, body, requestId }: ImportRequest,
    totalRows: number,
  ): Promise<AcceptedImport> {
    const { collection, externalId } = IMPORTS[surface];
    const { organizationId, keyId, partner } = sender;
    const { createdAt } = await INSERT_JOB.one(manager, [
      organizationId,
      jobId,
      surface,
      mode,
      totalRows,
      requestId,
      keyId,
      options.skipCancelled ?? false,
      options.dryRun ?? false,
      partner?.id ?? null,
    ]);
    await insertImportRows(manager, [organizationId, jobId, collection, externalId ?? ''], body);
    await this.intake.add(manager, sender, body.length);
    return acceptedOf({ jobId, surface, dryRun: options.dryRun ?? false, totalRows, createdAt });
  }

  /** The response of the first request with the key. */
  private async firstAnswer(claim: ClaimedKey): Promise<AcceptedImport> {
    const { jobId } = await this.keys.first(claim);
    const { surface, dryRun, totalRows, createdAt } = await FIRST_JOB.one(
      this.database.of(claim.organizationId),
      [claim.organizationId, jobId],
    );
    return acceptedOf({ jobId: jobId as string, surface, dryRun, totalRows, createdAt });
  }
}

/** The same body with other options is another request. Without options, the hash is that of earlier releases. */
const hashOf = (bodyHash: Buffer, options: object): Buffer => {
  const given = Object.entries(options).filter(([, value]) => value);
  return given.length
    ? createHash('sha256').update(bodyHash).update(JSON.stringify(given.sort())).digest()
    : bodyHash;
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
