import { Column, Entity } from 'typeorm';
import { Holds } from './holds';
import { NOW, OwnedIndex, OwnedRow } from './owned-row';

/**
 * The audit log: who did what, and when. A trigger rejects every change but the removal of `changes`; rows are deleted only
 * after AUDIT_LOG_DAYS.
 * There is no foreign key to the organization, because the log must outlive it.
 */
@Entity('audit_log')
@OwnedIndex('audit_log_organization_at_idx', ['at', 'id'])
@OwnedIndex('audit_log_object_idx', ['objectId', 'at', 'id'])
@OwnedIndex('audit_log_changes_idx', ['at'], { where: 'changes IS NOT NULL' })
export class AuditRecord extends OwnedRow {
  @Column(NOW) at: Date;
  @Holds('platform', 'text') actorType: string;

  /** The name of an operating system user, or the id of a staff member or key. */
  @Holds('staff', 'text', { nullable: true }) actorId: string | null;

  /** The location of the actor: a host name or an IP address. */
  @Holds('staff', 'text', { nullable: true }) origin: string | null;
  @Holds('platform', 'text') action: string;
  @Holds('platform', 'text') objectType: string;
  @Holds('platform', 'text', { nullable: true }) objectId: string | null;

  /** Ids, counts, settings, and names that the organizer chose. The log is append-only: an erasure reports a name with the address. */
  @Holds('organizer', 'jsonb', { default: {} }) details: Record<string, unknown>;

  /** Old and new values of what staff changed: `[{ field, from, to }]`. `null` if there are none, and after AUDIT_VALUES_DAYS. */
  @Holds('personal', 'jsonb', { nullable: true }) changes: object[] | null;
}
