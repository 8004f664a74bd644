import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Organization } from './organizations';
import { TimedRow } from './owned-row';

export const IMPORT_STATUSES = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export const IMPORT_OUTCOMES = [
  'IMPORTED',
  'UPDATED',
  'ALREADY_IMPORTED',
  'CANCELLED_BEFORE',
  'FAILED',
] as const;

@Entity('import_jobs')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@Index(['organizationId', 'createdAt', 'id'])
@Index('import_jobs_organization_open_idx', ['organizationId', 'createdAt', 'id'], {
  where: "status IN ('QUEUED', 'RUNNING')",
})
@Index('import_jobs_dry_run_idx', ['finishedAt'], { where: 'dry_run' })
@Index('import_jobs_open_idx', ['createdAt'], { where: "status IN ('QUEUED', 'RUNNING')" })
export class ImportJob extends TimedRow {
  /** `bookingsImport` and its kin. */
  @Column('text')
  surface: string;

  /** Creates only, or creates and replaces (PUT). */
  @Column('text')
  mode: 'CREATE' | 'UPSERT';

  /** Its rows get their outcome, and nothing is written. */
  @Column('boolean', { default: false })
  dryRun: boolean;

  /** A row whose id belonged to a cancelled booking is left out. */
  @Column('boolean', { default: false })
  skipCancelled: boolean;

  /** The name that the API key had; null for jobs of releases that did not keep it. */
  @Column('text', { nullable: true })
  source: string | null;

  @Column('text', { default: 'QUEUED' })
  status: (typeof IMPORT_STATUSES)[number];

  @Column('int')
  totalRows: number;

  @Column('int', { default: 0 })
  succeededRows: number;

  @Column('int', { default: 0 })
  alreadyImportedRows: number;

  /** With `skip_cancelled`. */
  @Column('int', { default: 0 })
  cancelledBeforeRows: number;

  @Column('int', { default: 0 })
  failedRows: number;

  /** The request that brought the job, for the logs. */
  @Column('text', { nullable: true })
  requestId: string | null;

  /** Why the job itself could not be carried on. */
  @Column('text', { nullable: true })
  failure: string | null;

  @Column('timestamptz', { nullable: true })
  startedAt: Date | null;

  @Column('timestamptz', { nullable: true })
  finishedAt: Date | null;
}

/** One row as it was posted, and later what became of it. */
@Entity('import_rows')
@ForeignKey(() => ImportJob, ['organizationId', 'jobId'], ['organizationId', 'id'])
@Index('import_rows_open_idx', ['organizationId', 'jobId', 'row'], { where: 'outcome IS NULL' })
@Index('import_rows_outcome_idx', ['organizationId', 'jobId', 'outcome', 'row'])
export class ImportRow {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('uuid')
  jobId: string;

  /** From 0, as the index in the request. */
  @PrimaryColumn('int', { name: 'row_number' })
  row: number;

  @Column('text', { nullable: true })
  externalId: string | null;

  @Column('jsonb')
  payload: Record<string, unknown>;

  @Column('text', { nullable: true })
  outcome: (typeof IMPORT_OUTCOMES)[number] | null;

  /** The ids that the surface reports. */
  @Column('jsonb', { nullable: true })
  result: Record<string, unknown> | null;

  @Column('text', { nullable: true })
  errorCode: string | null;

  @Column('text', { nullable: true })
  errorMessage: string | null;
}

/** What a worker has begun and not ended, and how often a job ended its worker. */
@Entity('import_attempts')
@ForeignKey(() => ImportJob, ['organizationId', 'jobId'], ['organizationId', 'id'])
@Index('import_attempts_worker_idx', ['workerId'])
export class ImportAttempt {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('uuid')
  jobId: string;

  /** Whose attempt is under way; null where none is, or where its end does not count. */
  @Column('uuid', { nullable: true })
  workerId: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  startedAt: Date;

  /** That the attempt took on; between attempts, that the next one may take on. */
  @Column('int')
  rows: number;

  /** Attempts that ended unexpectedly. */
  @Column('int', { default: 0 })
  ends: number;

  /** Of them, the last ones in succession that had taken on a single row. */
  @Column('int', { default: 0 })
  endsAlone: number;
}

/** The first answer to an `Idempotency-Key`. */
@Entity('idempotency_keys')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@Index('idempotency_keys_created_idx', ['createdAt'])
export class IdempotencyKey {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('text')
  operation: string;

  @PrimaryColumn('text')
  key: string;

  @Column('bytea')
  bodyHash: Buffer;

  /** Of an import; null for other operations. */
  @Column('uuid', { nullable: true })
  jobId: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;
}
