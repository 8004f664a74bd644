/**
 * Keys, staff sessions, and what they may access (docs/interface.md#organizations-and-keys).
 *
 *   const token = new Tokens(settings.SIGNING_SECRETS).sign({ sub, jti, kind: 'ORGANIZER', iat });
 *   const caller = await keys.callerOf(token);        // undefined: 401
 *   refusalOf(caller, operation, method, params.id)   // why a key may not call an operation, if so
 *   const { key, token } = await createKey(manager, tokens, { organizationId, name, kind: 'ORGANIZER' }, actor);
 *
 * The audit log: who did what, and when. Records are written in the transaction of the change.
 *
 *   await audit(manager, actor, { organizationId, action: 'key.revoke', objectType: 'key', objectId: id });
 *   await audit(manager, actor, { …, changes: changesBetween(before, { name: 'Harbour Runners' }) });   // of a staff edit, also the values
 *   await listAudit(manager, { organizationId, action: 'key', limit: 100 });     // every action on keys
 *
 * The header Idempotency-Key: within an organization and operation, the same key with the same body takes effect
 * once.
 *
 * const given = keys.read(request.headers['idempotency-key']);             // undefined, or 400
 * await keys.claim(manager, { organizationId, operation, key, hash });    // false: another request has it
 * await keys.first({ organizationId, operation, key, hash });             // 400 if that had another body
 */
export { AccessModule } from './access.module';
export { announceAccess } from './access-changes';
export { type Actor, type AuditAction, type AuditEntry, audit, auditAll } from './audit/audit';
export { changesBetween, type FieldChange } from './audit/changes';
export { FORGET_AUDITED_VALUES, forgetAuditedValues } from './audit/forget-values';
export { listAudit } from './audit/list-audit';
export type { Caller } from './caller';
export { type ClaimedKey, IDEMPOTENCY_HOURS, IdempotencyKeys } from './idempotency-keys';
export { KeyIdentity } from './identity.dto';
export {
  createKey,
  type IssuedKey,
  KeyRefused,
  type Narrowing,
  newestKeys,
  restrictKey,
  revokeKey,
  rotateKey,
  tokenOf,
} from './key-store';
export { Keys } from './keys';
export {
  IDENTITY,
  importPermission,
  onlyReads,
  PARTNER_PERMISSIONS,
  PERMISSIONS,
  type Permission,
  permissionsOf,
} from './permissions';
export { isProofOf, proofOf } from './proofs';
export { isForPartners, type OperationAccess, refusalOf } from './scope';
export { SCOPED_ENDPOINTS } from './scoped-endpoints';
export { StaffSessions } from './staff-sessions';
export { FEATURE_SURFACES, type Surface } from './surfaces';
export { questionsIn, TIMING_READS, type TimingRead } from './timing-reads';
export { KEY_KINDS, type KeyKind, type SigningSecret, Tokens } from './tokens';
