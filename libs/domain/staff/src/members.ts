import { type EntityManager, IsNull, LessThan } from 'typeorm';
import { type Actor, type AuditAction, audit } from '#platform/access';
import {
  insertNew,
  newId,
  type OrganizerRole,
  StaffLink,
  StaffMember,
  type StaffRole,
  StaffSession,
  statement,
  updateGiven,
} from '#platform/database';
import { isEmail, normalizeEmail, trimmed } from '#platform/validation';
import { hashOf, newSecret } from './secrets';

/** The requested change of a member is not possible. The message gives the reason and is shown to the user. */
export class StaffRefused extends Error {}

/** The organization has no such member. */
export class NoSuchMember extends StaffRefused {
  constructor() {
    super('The organization has no such staff member.');
  }
}

/** A member and the token of a link that signs them in once. The token is not stored. */
export interface InvitedMember {
  member: StaffMember;
  token: string;
  expiresAt: Date;
}

const HOUR_MS = 3_600_000;
/** The lifetime of an invitation or reset link. */
export const LINK_HOURS = 72;

type MemberKey = Pick<StaffMember, 'organizationId' | 'id'>;

/**
 * Adds a member and creates the link for their first sign-in.
 *
 * @throws StaffRefused if that is no email address, or the organization already has a member with it
 */
export async function inviteMember(
  manager: EntityManager,
  {
    organizationId,
    email,
    role,
    partnerId = null,
  }: { organizationId: string; email: string; role: StaffRole; partnerId?: string | null },
  by: Actor,
): Promise<InvitedMember> {
  if (!isEmail(trimmed(email))) throw new StaffRefused(`"${email}" is not an email address.`);
  const member = manager.create(StaffMember, {
    organizationId,
    id: newId(),
    email: trimmed(email),
    emailNormalized: normalizeEmail(email),
    role,
    partnerId,
  });
  if ((await insertNew(manager, StaffMember, [member])) === 0)
    throw new StaffRefused('The organization already has a staff member with this email.');
  await record(manager, by, 'staff.invite', member, { role, ...(partnerId && { partnerId }) });
  return { member, ...(await newLink(manager, member)) };
}

/**
 * Creates a new one-time link for a member who lost their link or password. Invalidates earlier links, the password
 * and all sessions.
 *
 * @throws NoSuchMember
 */
export async function resetMember(manager: EntityManager, key: MemberKey, by: Actor): Promise<InvitedMember> {
  const member = await lockedMember(manager, key);
  await forgetPassword(manager, member, by);
  return { member, ...(await newLink(manager, member)) };
}

/** Ends what a member signed in with. */
export async function forgetPassword(
  manager: EntityManager,
  member: StaffMember,
  by: Actor,
): Promise<StaffMember> {
  await endSessions(manager, member);
  await change(manager, member, { passwordHash: null });
  await record(manager, by, 'staff.reset', member);
  return { ...member, passwordHash: null };
}

/**
 * Creates an additional one-time link for a member. Their password and sessions stay valid.
 *
 * @throws NoSuchMember
 */
export async function linkMember(manager: EntityManager, key: MemberKey, by: Actor): Promise<InvitedMember> {
  const member = await lockedMember(manager, key);
  await record(manager, by, 'staff.link', member);
  return { member, ...(await newLink(manager, member)) };
}

/** @throws NoSuchMember; StaffRefused for members of partners, or if the organization would have no owner left */
export async function changeRole(
  manager: EntityManager,
  key: MemberKey,
  role: OrganizerRole,
  by: Actor,
): Promise<StaffMember> {
  const owners = await lockOwners(manager, key);
  const member = await lockedMember(manager, key);
  if (member.partnerId)
    throw new StaffRefused(
      'A member of a partner has no other role. Invite them as staff with another email.',
    );
  if (role !== 'OWNER') requireOtherOwner(owners, member);
  await change(manager, member, { role });
  await record(manager, by, 'staff.change_role', member, { from: member.role, to: role });
  return { ...member, role };
}

/**
 * Removes a member with their sessions and links.
 *
 * @throws NoSuchMember; StaffRefused if the organization would have no owner left
 */
export async function removeMember(manager: EntityManager, key: MemberKey, by: Actor): Promise<StaffMember> {
  const owners = await lockOwners(manager, key);
  const member = await lockedMember(manager, key);
  requireOtherOwner(owners, member);
  await endSessions(manager, member);
  const removedAt = new Date();
  await change(manager, member, { removedAt, passwordHash: null });
  await record(manager, by, 'staff.remove', member);
  return { ...member, removedAt };
}

/** The organization's members, or those of a partner, oldest first, and their number. */
export const listMembers = (
  manager: EntityManager,
  organizationId: string,
  { most, partnerId }: { most?: number; partnerId?: string } = {},
): Promise<[StaffMember[], number]> =>
  manager.findAndCount(StaffMember, {
    where: { organizationId, removedAt: IsNull(), ...(partnerId && { partnerId }) },
    order: { createdAt: 'ASC', id: 'ASC' },
    take: most,
  });

/** Ends every session of a member, and invalidates their links. */
export async function endSessions(
  manager: EntityManager,
  { organizationId, id: memberId }: MemberKey,
): Promise<void> {
  await manager.delete(StaffSession, { organizationId, memberId });
  await manager.delete(StaffLink, { organizationId, memberId });
}

async function newLink(
  manager: EntityManager,
  { organizationId, id: memberId }: MemberKey,
): Promise<{ token: string; expiresAt: Date }> {
  const token = newSecret();
  await manager.delete(StaffLink, { organizationId, memberId, expiresAt: LessThan(new Date()) });
  const expiresAt = new Date(Date.now() + LINK_HOURS * HOUR_MS);
  await manager.insert(StaffLink, { organizationId, memberId, tokenHash: hashOf(token), expiresAt });
  return { token, expiresAt };
}

const LOCK_MEMBER = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'SELECT FROM staff_members WHERE organization_id = $1 AND id = $2 FOR UPDATE',
});

/** The member as of the lock; null if they were removed. */
export async function findLocked(
  manager: EntityManager,
  { organizationId, id }: MemberKey,
): Promise<StaffMember | null> {
  await LOCK_MEMBER.run(manager, [organizationId, id]);
  return manager.findOneBy(StaffMember, { organizationId, id, removedAt: IsNull() });
}

/** By its id alone: criteria of TypeORM compare every property that they have, and a whole member equals no row. */
async function change(
  manager: EntityManager,
  { organizationId, id }: StaffMember,
  to: Partial<Pick<StaffMember, 'role' | 'removedAt' | 'passwordHash'>>,
): Promise<void> {
  const affected = await updateGiven(manager, StaffMember, { organizationId, id }, to);
  if (affected !== 1) throw new Error(`${affected} staff members were changed instead of one`);
}

async function lockedMember(manager: EntityManager, key: MemberKey): Promise<StaffMember> {
  const member = await findLocked(manager, key);
  if (!member) throw new NoSuchMember();
  return member;
}

const LOCK_OWNERS = statement({
  parameters: ['uuid'],
  sql: `
    SELECT FROM staff_members WHERE organization_id = $1 AND role = 'OWNER' AND removed_at IS NULL
    ORDER BY id FOR UPDATE
  `,
});

/** Locks the owners first, in id order, so that two owners can't remove each other concurrently. */
async function lockOwners(manager: EntityManager, { organizationId }: MemberKey): Promise<StaffMember[]> {
  await LOCK_OWNERS.run(manager, [organizationId]);
  return manager.findBy(StaffMember, { organizationId, role: 'OWNER', removedAt: IsNull() });
}

function requireOtherOwner(owners: StaffMember[], { id, role }: StaffMember): void {
  if (role === 'OWNER' && !owners.some((owner) => owner.id !== id)) {
    throw new StaffRefused('The organization must have an owner. Make another member an owner first.');
  }
}

const record = (
  manager: EntityManager,
  by: Actor,
  action: AuditAction,
  { organizationId, id }: MemberKey,
  details: Record<string, unknown> = {},
): Promise<void> =>
  audit(manager, by, { organizationId, action, objectType: 'staff', objectId: id, details });
