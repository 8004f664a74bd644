import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';
import { Organization } from './organizations';
import { NOW, OwnedIndex, References, TimedRow } from './owned-row';

export const IMPORT_STATUSES = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export const IMPORT_OUTCOMES = [
  'IMPORTED',
  'UPDATED',
  'UNCHANGED',
  'ALREADY_IMPORTED',
  'CANCELLED_BEFORE',
  'CANCELLED',
  'FAILED',
] as const;

@Entity('import_jobs')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@Index(['organizationId', 'createdAt', 'id'])
@OwnedIndex('import_jobs_organization_open_idx', ['createdAt', 'id'], {
  where: "status IN ('QUEUED', 'RUNNING')",
})
@References(() => ImportJob, 'undoesJobId')
@OwnedIndex('import_jobs_undoes_idx', ['undoesJobId', 'createdAt'], { where: 'undoes_job_id IS NOT NULL' })
@References(() => ImportJob, 'correctsJobId')
@OwnedIndex('import_jobs_corrects_idx', ['correctsJobId', 'createdAt'], {
  where: 'corrects_job_id IS NOT NULL',
})
@OwnedIndex('import_jobs_attention_idx', ['finishedAt'], {
  where: "failed_rows > 0 AND corrects_job_id IS NULL AND NOT dry_run AND mode <> 'UNDO'",
})
@OwnedIndex('import_jobs_imported_dry_run_idx', ['importedDryRunId'], {
  unique: true,
  where: 'imported_dry_run_id IS NOT NULL',
})
@OwnedIndex('import_jobs_sender_idx', ['sentByMemberId'], { where: 'sent_by_member_id IS NOT NULL' })
// TypeORM can't declare GIN indexes: the words of names and senders, and the occurrences.
@Index('import_jobs_names_idx', { synchronize: false })
@Index('import_jobs_occurrences_idx', { synchronize: false })
@OwnedIndex('import_jobs_organization_dry_run_idx', ['finishedAt'], { where: 'dry_run' })
@Index('import_jobs_open_idx', ['createdAt'], { where: "status IN ('QUEUED', 'RUNNING')" })
@OwnedIndex('import_jobs_organization_payloads_idx', ['finishedAt', 'id'], {
  where: 'finished_at IS NOT NULL AND emptied_rows < total_rows',
})
export class ImportJob extends TimedRow {
  /** Such as `bookingsImport`. */
  @Holds('platform', 'text') surface: string;

  /** POST creates; PUT creates, replaces or corrects; `UNDO` cancels the bookings of another job; `CHANGE` changes participants. */
  @Holds('platform', 'text') mode: 'CREATE' | 'UPSERT' | 'UPDATE' | 'UNDO' | 'CHANGE';

  /** Of a job that undoes another one: that job. */
  @Column('uuid', { nullable: true }) undoesJobId: string | null;

  /** The job whose failed rows it corrects; that job corrects none itself. */
  @Column('uuid', { nullable: true }) correctsJobId: string | null;

  /** What its sender called it, such as the name of a file. */
  @Holds('remarks', 'text', { nullable: true }) name: string | null;

  /** Its rows get an outcome, and nothing is written. */
  @Column('boolean', { default: false }) dryRun: boolean;

  /** Of a dry run that continues another one: the first of them, under which their takings are. It can be deleted before this one. */
  @Column('uuid', { nullable: true }) dryRunJobId: string | null;

  /** The dry run whose rows it imports. A dry run is imported once, and deleted a day after its end. */
  @Column('uuid', { nullable: true }) importedDryRunId: string | null;

  /** A row whose id belonged to a cancelled booking is skipped. */
  @Column('boolean', { default: false }) skipCancelled: boolean;

  /** The name of the API key; `null` for jobs of releases that did not store it. */
  @Holds('organizer', 'text', { nullable: true }) source: string | null;

  /** The member who sent it in the console. */
  @Column('uuid', { nullable: true }) sentByMemberId: string | null;
  @Holds('platform', 'text', { default: 'QUEUED' }) status: (typeof IMPORT_STATUSES)[number];
  @Column('int') totalRows: number;
  @Column('int', { default: 0 }) succeededRows: number;
  @Column('int', { default: 0 }) alreadyImportedRows: number;

  /** With `skip_cancelled`. */
  @Column('int', { default: 0 }) cancelledBeforeRows: number;
  @Column('int', { default: 0 }) failedRows: number;

  /** Imported rows with warnings. */
  @Column('int', { default: 0 }) warnedRows: number;

  /** The id of the request, for logs. */
  @Holds('platform', 'text', { nullable: true }) requestId: string | null;

  /** Why the job failed. */
  @Holds('platform', 'text', { nullable: true }) failure: string | null;
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;

  /** The payloads of rows before this one were removed, because the job finished IMPORT_PAYLOAD_DAYS ago. */
  @Column('int', { default: 0 }) emptiedRows: number;

  /** The most entries of the next transaction; `null` before the end of the first turn. */
  @Column('int', { nullable: true }) chunkEntries: number | null;

  /** How often in succession the rows of the next transaction had a conflict with another transaction. */
  @Column('int', { default: 0 }) chunkConflicts: number;

  /** The partner whose key sent it. */
  @Column('uuid', { nullable: true }) partnerId: string | null;

  /** When that partner last retried it. */
  @Column('timestamptz', { nullable: true }) reopenedAt: Date | null;

  /** When it was announced that it waits unusually long. */
  @Column('timestamptz', { nullable: true }) waitingSince: Date | null;

  /** The first 100 occurrences of its rows that a worker met. */
  @Column('uuid', { array: true, default: [] }) eventOccurrenceIds: string[];

  /** Of imports of bookings: the places that their rows took, by ticket; entries, and begun units. */
  @Holds('platform', 'jsonb', { nullable: true }) places: Record<
    string,
    [entries: number, units: number]
  > | null;
}

/** A row as it was sent, and its outcome. */
@Entity('import_rows')
@References(() => ImportJob, 'jobId')
@OwnedIndex('import_rows_open_idx', ['jobId', 'row'], { where: 'outcome IS NULL' })
@OwnedIndex('import_rows_outcome_idx', ['jobId', 'outcome', 'row'])
@OwnedIndex('import_rows_corrections_idx', ['correctsJobId', 'correctsRow', 'jobId'], {
  where: 'corrects_job_id IS NOT NULL',
})
@OwnedIndex('import_rows_live_corrections_idx', ['correctsJobId', 'correctsRow'], {
  unique: true,
  where: "corrects_job_id IS NOT NULL AND outcome IS DISTINCT FROM 'FAILED'",
})
export class ImportRow {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') jobId: string;

  /** From 0, as the index in the request. */
  @PrimaryColumn('int', { name: 'row_number' }) row: number;
  @Holds('foreign', 'text', { nullable: true }) externalId: string | null;
  @Holds('personal', 'jsonb') payload: Record<string, unknown>;
  @Holds('platform', 'text', { nullable: true }) outcome: (typeof IMPORT_OUTCOMES)[number] | null;

  /** The ids in the outcome. */
  @Holds('foreign', 'jsonb', { nullable: true }) result: Record<string, unknown> | null;
  @Holds('platform', 'text', { nullable: true }) errorCode: string | null;
  @Holds('foreign', 'text', { nullable: true }) errorMessage: string | null;

  /** The property that the error is about. */
  @Holds('foreign', 'text', { nullable: true }) errorPath: string | null;

  /**
   * Of a correction that counts: the job of the failed row that it replaces. `null` for dry runs of a correction of an import. A failed row
   * has at most one correction that has not failed.
   */
  @Column('uuid', { nullable: true }) correctsJobId: string | null;

  /** The failed row that it replaces. */
  @Column('int', { nullable: true }) correctsRow: number | null;
}

/** What chunks of a dry run took, for its next chunks: uses, places, bibs. */
@Entity('dry_run_takings')
@References(() => ImportJob, 'jobId')
export class DryRunTaking {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') jobId: string;

  /** A hash, because names contain addresses. */
  @Holds('platform', 'bytea', { primary: true }) name: Buffer;
  @Holds('platform', 'jsonb') value: unknown;
}

/** The current attempt of a job, and the number of its crashes. */
@Entity('import_attempts')
@References(() => ImportJob, 'jobId')
@Index('import_attempts_worker_idx', ['workerId'])
export class ImportAttempt {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') jobId: string;

  /** The process of the current attempt; `null` without an attempt, or if its end does not count. */
  @Column('uuid', { nullable: true }) workerId: string | null;
  @Column(NOW) startedAt: Date;

  /** The rows of the attempt; between attempts, the rows of the next one. */
  @Column('int') rows: number;

  /** Attempts that crashed. */
  @Column('int', { name: 'ends', default: 0 }) crashes: number;

  /** The number of consecutive attempts at a single row that crashed. */
  @Column('int', { name: 'ends_alone', default: 0 }) crashesOfRow: number;

  /** The number of consecutive attempts that lost their connection. */
  @Column('int', { default: 0 }) losses: number;
}

/** The first response for an `Idempotency-Key`. */
@Entity('idempotency_keys')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@OwnedIndex('idempotency_keys_organization_created_idx', ['createdAt'])
export class IdempotencyKey {
  @PrimaryColumn('uuid') organizationId: string;
  @Holds('platform', 'text', { primary: true }) operation: string;
  @Holds('foreign', 'text', { primary: true }) key: string;
  @Holds('platform', 'bytea') bodyHash: Buffer;

  /** What the request made; null if it changed the record that its path names. */
  @Column('uuid', { nullable: true }) recordId: string | null;
  @Column(NOW) createdAt: Date;
}
