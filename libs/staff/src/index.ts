/**
 * Staff of an organization: who may use the console, and how they sign in.
 *
 *   const { token } = await inviteMember(manager, { organizationId, email, role: 'OWNER' }, actor);
 *   const session = await redeemLink(database, { slug, token, origin });   // undefined: used, expired or unknown
 *   setPassword(database, { organizationId, memberId, password, secret: session.secret }, actor);
 *
 * A session's cookie becomes a caller in `libs/access`, as a key's token does.
 */

export { consolePathOf } from './links';
export {
  changeRole,
  endSessions,
  type InvitedMember,
  inviteMember,
  LINK_HOURS,
  linkMember,
  listMembers,
  NoSuchMember,
  removeMember,
  resetMember,
  StaffRefused,
} from './members';
export { PASSWORD_LENGTH } from './passwords';
export {
  endSession,
  type OpenedSession,
  redeemLink,
  setPassword,
  signIn,
  signInByProvider,
} from './sessions';
