import { type EntityManager, IsNull } from 'typeorm';
import { type Actor, type AuditAction, audit } from '#libs/audit';
import { newId, StaffLink, StaffMember, type StaffRole, StaffSession } from '#libs/database';
import { normalizeEmail } from '#libs/start-list';
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
 * @throws StaffRefused if the organization already has a member with that email
 */
export function inviteMember(
  manager: EntityManager,
  { organizationId, email, role }: { organizationId: string; email: string; role: StaffRole },
  by: Actor,
): Promise<InvitedMember> {
  return manager.transaction(async (transaction) => {
    const member = transaction.create(StaffMember, {
      organizationId,
      id: newId(),
      email: email.trim(),
      emailNormalized: normalizeEmail(email),
      role,
    });
    const { identifiers } = await transaction
      .createQueryBuilder()
      .insert()
      .into(StaffMember)
      .values(member)
      .orIgnore()
      .returning('id')
      .execute();
    if (!identifiers[0])
      throw new StaffRefused('The organization already has a staff member with this email.');
    await record(transaction, by, 'staff.invite', member, { role });
    return { member, ...(await newLink(transaction, member)) };
  });
}

/**
 * Creates a new one-time link for a member who lost their link or password. Invalidates earlier links, the password
 * and all sessions.
 *
 * @throws NoSuchMember
 */
export function resetMember(manager: EntityManager, key: MemberKey, by: Actor): Promise<InvitedMember> {
  return manager.transaction(async (transaction) => {
    const member = await lockedMember(transaction, key);
    await endSessions(transaction, member);
    await transaction.update(StaffMember, key, { passwordHash: null });
    await record(transaction, by, 'staff.reset', member);
    return { member, ...(await newLink(transaction, member)) };
  });
}

/**
 * Creates an additional one-time link for a member. Their password and sessions stay valid.
 *
 * @throws NoSuchMember
 */
export function linkMember(manager: EntityManager, key: MemberKey, by: Actor): Promise<InvitedMember> {
  return manager.transaction(async (transaction) => {
    const member = await lockedMember(transaction, key);
    await record(transaction, by, 'staff.link', member);
    return { member, ...(await newLink(transaction, member)) };
  });
}

/** @throws NoSuchMember; StaffRefused if the organization would have no owner left */
export function changeRole(
  manager: EntityManager,
  key: MemberKey,
  role: StaffRole,
  by: Actor,
): Promise<StaffMember> {
  return manager.transaction(async (transaction) => {
    const owners = await lockOwners(transaction, key);
    const member = await lockedMember(transaction, key);
    if (role !== 'OWNER') requireOtherOwner(owners, member);
    await transaction.update(StaffMember, key, { role });
    await record(transaction, by, 'staff.change_role', member, { from: member.role, to: role });
    return { ...member, role };
  });
}

/**
 * Removes a member with their sessions and links.
 *
 * @throws NoSuchMember; StaffRefused if the organization would have no owner left
 */
export function removeMember(manager: EntityManager, key: MemberKey, by: Actor): Promise<StaffMember> {
  return manager.transaction(async (transaction) => {
    const owners = await lockOwners(transaction, key);
    const member = await lockedMember(transaction, key);
    requireOtherOwner(owners, member);
    await endSessions(transaction, member);
    const removedAt = new Date();
    await transaction.update(StaffMember, key, { removedAt, passwordHash: null });
    await record(transaction, by, 'staff.remove', member);
    return { ...member, removedAt };
  });
}

/** The organization's members, oldest first, and their number. */
export const listMembers = (
  manager: EntityManager,
  organizationId: string,
  most?: number,
): Promise<[StaffMember[], number]> =>
  manager.findAndCount(StaffMember, {
    where: { organizationId, removedAt: IsNull() },
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
  const expiresAt = new Date(Date.now() + LINK_HOURS * HOUR_MS);
  await manager.insert(StaffLink, { organizationId, memberId, tokenHash: hashOf(token), expiresAt });
  return { token, expiresAt };
}

async function lockedMember(manager: EntityManager, { organizationId, id }: MemberKey): Promise<StaffMember> {
  const member = await manager.findOne(StaffMember, {
    where: { organizationId, id, removedAt: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  if (!member) throw new NoSuchMember();
  return member;
}

/** Locks the owners first, in id order, so that two owners can't remove each other concurrently. */
const lockOwners = (manager: EntityManager, { organizationId }: MemberKey): Promise<StaffMember[]> =>
  manager.find(StaffMember, {
    where: { organizationId, role: 'OWNER', removedAt: IsNull() },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });

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
