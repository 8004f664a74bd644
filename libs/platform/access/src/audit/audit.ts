import type { EntityManager } from 'typeorm';
import { AuditRecord, newId } from '#platform/database';

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
  'ballot.draw',
  'booking.cancel',
  'catalogue.write',
  'import.undo',
  'key.create',
  'key.restrict',
  'key.rotate',
  'key.revoke',
  'organization.create',
  'organization.update',
  'organization.close',
  'organization.reopen',
  'organization.enable',
  'organization.disable',
  'participant.cancel',
  'participant.transfer',
  'participant.redact',
  'participant.export',
  'person.erase',
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
  /** Ids, counts and settings. Personal data must not be in it: a record can't be erased. */
  details?: Record<string, unknown>;
}

/** Appends a record. Call it in the transaction of the change, so that the record exists if and only if the change does. */
export async function audit(
  manager: EntityManager,
  actor: Actor,
  { details = {}, ...entry }: AuditEntry,
): Promise<void> {
  const { type: actorType, id: actorId, origin } = actor;
  await manager.insert(AuditRecord, {
    ...entry,
    id: newId(),
    actorType,
    actorId,
    origin,
    details: details as object,
  });
}
