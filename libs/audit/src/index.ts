/**
 * The audit log: who did what, and when. Records are written in the transaction of the change.
 *
 *   await audit(manager, actor, { organizationId, action: 'key.revoke', objectType: 'key', objectId: id });
 *   await listAudit(manager, { organizationId, action: 'key', limit: 100 });     // every action on keys
 */
export {
  ACTOR_TYPES,
  type Actor,
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEntry,
  audit,
} from './audit';
export { type AuditFilter, listAudit } from './list-audit';
