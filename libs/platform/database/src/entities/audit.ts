import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';

/**
 * The audit log: who did what, and when. A trigger rejects every change; rows are deleted only after AUDIT_LOG_DAYS.
 * There is no foreign key to the organization, because the log must outlive it.
 */
@Entity('audit_log')
@Index('audit_log_organization_at_idx', ['organizationId', 'at', 'id'])
export class AuditRecord {
  @PrimaryColumn('uuid')
  organizationId: string;

  /** UUID version 7. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  at: Date;

  @Column('text')
  @Holds('platform')
  actorType: string;

  /** The name of an operating system user, or the id of a staff member or key. */
  @Column('text', { nullable: true })
  @Holds('staff')
  actorId: string | null;

  /** The location of the actor: a host name or an IP address. */
  @Column('text', { nullable: true })
  @Holds('staff')
  origin: string | null;

  @Column('text')
  @Holds('platform')
  action: string;

  @Column('text')
  @Holds('platform')
  objectType: string;

  @Column('text', { nullable: true })
  @Holds('platform')
  objectId: string | null;

  /** Ids, counts and settings; never personal data. */
  @Column('jsonb', { default: {} })
  @Holds('platform')
  details: Record<string, unknown>;
}
