/**
 * Staff of an organization: who can use the console, and how they sign in.
 *
 * const { token } = await inviteMember(manager, { organizationId, email, role: 'OWNER' }, actor);
 * const session = await redeemLink(database, { slug, token, origin });   // undefined: used, expired or unknown
 * setPassword(database, { organizationId, memberId, password, secret: session.secret }, actor);
 *
 * And what only staff read about the organization: the audit log, the history of a record, and the requests of its keys.
 *
 * `libs/platform/access` resolves the cookie of a session to a caller, as it does the token of a key.
 */

export { AUDIT_LOG } from './audit-log.resource';
export { HISTORY } from './history.resource';
export { attention, entriesByDay, eventsToCome } from './home/attention';
export { Attention, Home } from './home/attention.dto';
export { consolePathOf } from './links';
export {
  changeRole,
  endSessions,
  type InvitedMember,
  inviteMember,
  linkMember,
  listMembers,
  NoSuchMember,
  removeMember,
  resetMember,
  StaffRefused,
} from './members';
export { PASSWORD_LENGTH } from './passwords';
export { REQUESTS } from './requests.resource';
export { RESET_MINUTES, ResetTokens } from './reset-tokens';
export {
  endSession,
  memberByEmail,
  type OpenedSession,
  redeemLink,
  setPassword,
  signIn,
  signInByProvider,
} from './sessions';
