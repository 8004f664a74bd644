import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';
import { Organization } from './organizations';
import { NOW, OwnedIndex, OwnedRow, References } from './owned-row';

export const PERSON_JOB_STATUSES = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export const PERSON_JOB_KINDS = ['EXPORT', 'ERASE', 'REDACT'] as const;

/** Work on all data of a person, which a worker does because it searches all texts of the organization. Kept for a day. */
@Entity('person_jobs')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@OwnedIndex('person_jobs_open_idx', ['createdAt'], { where: "status IN ('QUEUED', 'RUNNING')" })
@OwnedIndex('person_jobs_finished_idx', ['finishedAt'], { where: 'finished_at IS NOT NULL' })
export class PersonJob extends OwnedRow {
  @Holds('platform', 'text') kind: (typeof PERSON_JOB_KINDS)[number];

  /** Of exports and erasures; removed at the end of an erasure. */
  @Holds('personal', 'text', { nullable: true }) email: string | null;

  /** Of redactions: a participant or an application. */
  @Column('uuid', { nullable: true }) entryId: string | null;
  @Column('boolean') dryRun: boolean;
  @Holds('platform', 'text', { default: 'QUEUED' }) status: (typeof PERSON_JOB_STATUSES)[number];
  @Column('bigint', { default: 0 }) searchedRows: string;

  /** What an erasure or a redaction removed: counts, and ids of records. */
  @Holds('platform', 'jsonb', { nullable: true }) result: object | null;

  /** Who requested it, for the audit log. */
  @Holds('staff', 'jsonb') actor: object;

  /** Until when the job belongs to the process that works on it. Then another one begins it again. */
  @Column('timestamptz', { nullable: true }) leasedUntil: Date | null;
  @Column(NOW) createdAt: Date;
  @Column('timestamptz', { nullable: true }) startedAt: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
}

/** What an export has found: keys of rows that are read together. */
@Entity('person_job_rows')
@References(() => PersonJob, 'jobId')
export class PersonJobRows {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') jobId: string;
  @PrimaryColumn('int') place: number;
  @Holds('platform', 'text') tableName: string;

  /** Some keys have texts of other systems. */
  @Holds('foreign', 'jsonb') keys: object;
}
