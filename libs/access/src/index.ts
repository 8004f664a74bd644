/**
 * Keys, staff sessions, and what they may access (docs/interface.md#organizations-and-keys).
 *
 *   const token = new Tokens(settings.SIGNING_SECRETS).sign({ sub, jti, kind: 'ORGANIZER', iat });
 *   const caller = await keys.callerOf(token);        // undefined: 401
 *   refusalOf(caller, operation, method, params.id)   // why a key may not call an operation, if so
 *   const { key, token } = await createKey(manager, tokens, { organizationId, name, kind: 'ORGANIZER' }, actor);
 */

export { AccessModule } from './access.module';
export { announceAccess } from './access-changes';
export { type Caller, NO_ORGANIZATION } from './caller';
export { KeyIdentity } from './identity.dto';
export {
  createKey,
  type IssuedKey,
  KeyRefused,
  type NewKey,
  type Restrictions,
  restrictKey,
  revokeKey,
  rotateKey,
  tokenOf,
} from './key-store';
export { Keys } from './keys';
export { type OperationAccess, refusalOf, rolesOf } from './scope';
export { SCOPED_ENDPOINTS } from './scoped-endpoints';
export { StaffSessions } from './staff-sessions';
export { FEATURE_SURFACES, type Surface } from './surfaces';
export { KEY_KINDS, type KeyClaims, type KeyKind, type SigningSecret, Tokens } from './tokens';
