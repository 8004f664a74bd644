import type { EntityManager } from 'typeorm';
import { type Actor, audit } from '#libs/audit';
import { Organization, StaffLink, StaffMember, StaffSession } from '#libs/database';
import { normalizeEmail } from '#libs/start-list';
import { hashPassword, isPassword } from './passwords';
import { hashOf, newSecret } from './secrets';

/** A session that was opened, and the secret that its cookie carries. The secret is not stored. */
export interface OpenedSession {
  member: StaffMember;
  organization: Organization;
  secret: string;
}

/** Signs the holder of a one-time link in; the link is used up, whether or not its answer arrives. */
export async function redeemLink(
  manager: EntityManager,
  { slug, token, origin }: { slug: string; token: string; origin: string | null },
): Promise<OpenedSession | undefined> {
  return manager.transaction(async (transaction) => {
    const organization = await openOrganization(transaction, slug);
    if (!organization) return undefined;
    const { id: organizationId } = organization;
    const found = await transaction
      .createQueryBuilder()
      .delete()
      .from(StaffLink)
      .where('organization_id = :organizationId AND token_hash = :hash AND expires_at > clock_timestamp()', {
        organizationId,
        hash: hashOf(token),
      })
      .returning('member_id')
      .execute();
    const memberId: string | undefined = found.raw[0]?.member_id;
    const member = memberId && (await transaction.findOneBy(StaffMember, { organizationId, id: memberId }));
    return member ? open(transaction, organization, member, origin, 'LINK') : undefined;
  });
}

/** Opens a session for an email and password; undefined where they do not match, for whatever reason. */
export async function signIn(
  manager: EntityManager,
  { slug, email, password, origin }: { slug: string; email: string; password: string; origin: string | null },
): Promise<OpenedSession | undefined> {
  const organization = await openOrganization(manager, slug);
  const member = organization ? await memberByEmail(manager, organization.id, email) : null;
  const right = await isPassword(member?.passwordHash ?? null, password);
  if (!right || !organization || !member) return undefined;
  return manager.transaction((transaction) => open(transaction, organization, member, origin, 'PASSWORD'));
}

/** Opens a session for someone whom an identity provider vouches for, if the organization has such a member. */
export async function signInByProvider(
  manager: EntityManager,
  { slug, email, origin }: { slug: string; email: string; origin: string | null },
): Promise<OpenedSession | undefined> {
  const organization = await openOrganization(manager, slug);
  const member = organization && (await memberByEmail(manager, organization.id, email));
  if (!organization || !member) return undefined;
  return manager.transaction((transaction) => open(transaction, organization, member, origin, 'PROVIDER'));
}

export const endSession = async (
  manager: EntityManager,
  organizationId: string,
  secret: string,
): Promise<void> => {
  await manager.delete(StaffSession, { organizationId, secretHash: hashOf(secret) });
};

/** Sets a member's password and ends their other sessions. */
export async function setPassword(
  manager: EntityManager,
  {
    organizationId,
    memberId,
    password,
    secret,
  }: {
    organizationId: string;
    memberId: string;
    password: string;
    /** The secret of the session that stays. */
    secret: string;
  },
  by: Actor,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  await manager.transaction(async (transaction) => {
    await transaction.update(StaffMember, { organizationId, id: memberId }, { passwordHash });
    await transaction
      .createQueryBuilder()
      .delete()
      .from(StaffSession)
      .where('organization_id = :organizationId AND member_id = :memberId AND secret_hash <> :hash', {
        organizationId,
        memberId,
        hash: hashOf(secret),
      })
      .execute();
    await audit(transaction, by, {
      organizationId,
      action: 'staff.set_password',
      objectType: 'staff',
      objectId: memberId,
    });
  });
}

const memberByEmail = (manager: EntityManager, organizationId: string, email: string) =>
  manager
    .createQueryBuilder(StaffMember, 'm')
    .where('m.organizationId = :organizationId AND m.emailNormalized = :email AND m.removedAt IS NULL', {
      organizationId,
      email: normalizeEmail(email),
    })
    .getOne();

const openOrganization = (manager: EntityManager, slug: string): Promise<Organization | null> =>
  manager
    .createQueryBuilder(Organization, 'o')
    .where('o.slug = :slug AND o.deletedAt IS NULL', { slug })
    .getOne();

async function open(
  manager: EntityManager,
  organization: Organization,
  member: StaffMember,
  origin: string | null,
  by: 'LINK' | 'PASSWORD' | 'PROVIDER',
): Promise<OpenedSession> {
  const { organizationId, id: memberId } = member;
  const secret = newSecret();
  await manager.insert(StaffSession, { organizationId, memberId, secretHash: hashOf(secret) });
  await manager.update(
    StaffMember,
    { organizationId, id: memberId },
    { lastSignedInAt: () => 'clock_timestamp()' },
  );
  await audit(
    manager,
    { type: 'STAFF', id: memberId, origin },
    {
      organizationId,
      action: 'staff.sign_in',
      objectType: 'staff',
      objectId: memberId,
      details: { by },
    },
  );
  return { member, organization, secret };
}
