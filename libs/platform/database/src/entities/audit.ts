import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';

/**
 * The audit log: who did what, and when. A trigger rejects every change but the removal of `changes`; rows are deleted only
 * after AUDIT_LOG_DAYS.
 * There is no foreign key to the organization, because the log must outlive it.
 */
@Entity('audit_log')
@Index('audit_log_organization_at_idx', ['organizationId', 'at', 'id'])
@Index('audit_log_object_idx', ['organizationId', 'objectId', 'at', 'id'])
@Index('audit_log_changes_idx', ['organizationId', 'at'], { where: 'changes IS NOT NULL' })
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

  /** Ids, counts, settings, and names that the organizer chose. The log is append-only: an erasure reports a name with the address. */
  @Column('jsonb', { default: {} })
  @Holds('organizer')
  details: Record<string, unknown>;

  /** Old and new values of what staff changed: `[{ field, from, to }]`. `null` if there are none, and after AUDIT_VALUES_DAYS. */
  @Column('jsonb', { nullable: true })
  @Holds('personal')
  changes: object[] | null;
}
