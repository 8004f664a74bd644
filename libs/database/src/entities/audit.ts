import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The audit log: who did what, and when. A trigger rejects every change; rows are deleted only after AUDIT_LOG_DAYS.
 * There is no foreign key to the organization, because the log must outlive it.
 */
@Entity('audit_log')
@Index('audit_log_organization_at_idx', ['organizationId', 'at', 'id'])
@Index('audit_log_at_idx', ['at'])
export class AuditRecord {
  @PrimaryColumn('uuid')
  organizationId: string;

  /** UUID version 7. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  at: Date;

  @Column('text')
  actorType: string;

  /** The name of an operating system user, or the id of a staff member or key. */
  @Column('text', { nullable: true })
  actorId: string | null;

  /** The location of the actor: a host name or an IP address. */
  @Column('text', { nullable: true })
  origin: string | null;

  @Column('text')
  action: string;

  @Column('text')
  objectType: string;

  @Column('text', { nullable: true })
  objectId: string | null;

  /** Ids, counts and settings; never personal data. */
  @Column('jsonb', { default: {} })
  details: Record<string, unknown>;
}
