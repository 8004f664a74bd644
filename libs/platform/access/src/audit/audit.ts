import type { EntityManager } from 'typeorm';
import { AuditRecord, newId } from '#platform/database';
import { type FieldChange, fitting, MOST_AUDITED_BYTES, MOST_AUDITED_CHANGES, recorded } from './changes';

export const ACTOR_TYPES = ['COMMAND_LINE', 'STAFF', 'KEY', 'SYSTEM'] as const;

/** Who acts, and from where. */
export interface Actor {
  type: (typeof ACTOR_TYPES)[number];
  /** An operating system user for COMMAND_LINE; the id of the staff member or key. */
  id: string | null;
  /** A host name for COMMAND_LINE; else an IP address. */
  origin: string | null;
}

/** `<type of object>.<verb>`; add new actions here. */
export const AUDIT_ACTIONS = [
  'application.approve',
  'application.reject',
  'application.withdraw',
  'application.not-duplicate',
  'ballot.draw',
  'booking.cancel',
  'catalogue.create',
  'catalogue.load',
  'catalogue.remove',
  'catalogue.update',
  'catalogue.write',
  'discount_code.update',
  'import.undo',
  'key.create',
  'key.restrict',
  'key.rotate',
  'key.revoke',
  'organization.create',
  'organization.update',
  'organization.close',
  'organization.empty',
  'organization.reopen',
  'organization.enable',
  'organization.disable',
  'participant.add',
  'participant.cancel',
  'participant.change',
  'participant.update',
  'participant.move',
  'participant.transfer',
  'participant.redact',
  'participant.export',
  'partner.create',
  'partner.update',
  'person.erase',
  'person.export',
  'staff.invite',
  'staff.link',
  'staff.reset',
  'staff.change_role',
  'staff.remove',
  'staff.set_password',
  'staff.sign_in',
  'start_list.load',
  'webhook_endpoint.create',
  'webhook_endpoint.update',
  'webhook_endpoint.rotate_secret',
  'webhook_endpoint.delete',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditEntry {
  organizationId: string;
  action: AuditAction;
  objectType: string;
  objectId: string | null;
  /** Ids, counts and settings. Personal data must not be in it: it stays as long as the record. */
  details?: Record<string, unknown>;
  /**
   * What changed. The names of the fields become `details.changed`. The values, up to 10,000 bytes together, and 200,000 of all entries, are kept if staff changed them, and can be
   * personal data: they are removed after AUDIT_VALUES_DAYS, and when the person is erased. Other actors write so much that the
   * log would be a second copy of it.
   */
  changes?: readonly FieldChange[];
}

/** Appends a record. Call it in the transaction of the change, so that the record exists if and only if the change does. */
export const audit = (manager: EntityManager, actor: Actor, entry: AuditEntry): Promise<void> =>
  auditAll(manager, actor, [entry]);

/** The same for several records, in one statement. */
export async function auditAll(
  manager: EntityManager,
  { type: actorType, id: actorId, origin }: Actor,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const by = { actorType, actorId, origin };
  let left = MOST_AUDITED_BYTES;
  await manager.insert(
    AuditRecord,
    entries.map(({ details, changes, ...entry }) => {
      const kept = changes?.slice(0, MOST_AUDITED_CHANGES).map(recorded);
      const changed = kept && { changed: [...new Set(kept.map(({ field }) => field))] };
      const values = actorType === 'STAFF' && kept ? fitting(kept, left) : undefined;
      left -= values?.bytes ?? 0;
      return {
        ...{ ...entry, ...by, id: newId() },
        details: { ...changed, ...details } as object,
        changes: values?.kept.length ? values.kept : null,
      };
    }),
  );
}
