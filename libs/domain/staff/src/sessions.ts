import { type EntityManager, LessThan } from 'typeorm';
import { type Actor, audit } from '#platform/access';
import { MOST_SESSION_HOURS } from '#platform/config';
import {
  type Database,
  Organization,
  StaffLink,
  StaffMember,
  StaffSession,
  statement,
  updateGiven,
} from '#platform/database';
import { normalizeEmail } from '#platform/validation';
import { findLocked, forgetPassword } from './members';
import { hashPassword, isPassword } from './passwords';
import type { ResetTokens } from './reset-tokens';
import { hashOf, newSecret } from './secrets';

const HOUR_MS = 3_600_000;

/** A new session, and the secret of its cookie. The secret is not stored. */
export interface OpenedSession {
  member: StaffMember;
  organization: Organization;
  secret: string;
}

/**
 * Signs the holder of a one-time link in. The link is used up, even if the response does not arrive. A mailed one ends the member's
 * password and sessions.
 */
export async function redeemLink(
  database: Database,
  {
    slug,
    token,
    origin,
    resets,
  }: { slug: string; token: string; origin: string | null; resets: ResetTokens },
): Promise<OpenedSession | undefined> {
  const organizationId = await organizationIdOf(database, slug);
  if (!organizationId) return undefined;
  const mailedTo = resets.memberIdOf(token);
  return database.of(organizationId).transaction(async (manager) => {
    if (mailedTo) {
      const member = await findLocked(manager, { organizationId, id: mailedTo });
      if (!member || !resets.isOf(member, token)) return undefined;
      const by = { type: 'STAFF', id: member.id, origin } as const;
      return open(manager, await forgetPassword(manager, member, by), origin, 'LINK');
    }
    const link = { organizationId, tokenHash: hashOf(token) };
    const known = await manager.findOneBy(StaffLink, link);
    const member = known && (await findLocked(manager, { organizationId, id: known.memberId }));
    if (!member) return undefined;
    const found = await manager
      .createQueryBuilder()
      .delete()
      .from(StaffLink)
      .where('organization_id = :organizationId AND token_hash = :hash AND expires_at > clock_timestamp()', {
        organizationId,
        hash: link.tokenHash,
      })
      .execute();
    return found.affected ? open(manager, member, origin, 'LINK') : undefined;
  });
}

/** Opens a session for an email and password; undefined if they do not match, for any reason. */
export async function signIn(
  database: Database,
  { slug, email, password, origin }: { slug: string; email: string; password: string; origin: string | null },
): Promise<OpenedSession | undefined> {
  const member = await memberByEmail(database, slug, email);
  const right = await isPassword(member?.passwordHash ?? null, password, origin);
  if (!right || !member) return undefined;
  return database.of(member.organizationId).transaction(async (manager) => {
    const now = await findLocked(manager, member);
    return now?.passwordHash === member.passwordHash ? open(manager, now, origin, 'PASSWORD') : undefined;
  });
}

/** Opens a session for a person whom an identity provider authenticated, if the organization has such a member. */
export async function signInByProvider(
  database: Database,
  { slug, email, origin }: { slug: string; email: string; origin: string | null },
): Promise<OpenedSession | undefined> {
  const member = await memberByEmail(database, slug, email);
  if (!member) return undefined;
  return database.of(member.organizationId).transaction(async (manager) => {
    const now = await findLocked(manager, member);
    return now ? open(manager, now, origin, 'PROVIDER') : undefined;
  });
}

export const endSession = async (
  manager: EntityManager,
  organizationId: string,
  secret: string,
): Promise<void> => {
  await manager.delete(StaffSession, { organizationId, secretHash: hashOf(secret) });
};

/**
 * Sets a member's password and ends their other sessions.
 *
 * @returns whether `current` is the present password, or there is none; and the session has not ended meanwhile
 */
export async function setPassword(
  database: Database,
  {
    organizationId,
    memberId,
    current = '',
    password,
    secret,
  }: {
    organizationId: string;
    memberId: string;
    current: string | undefined;
    password: string;
    /** The secret of the session that stays open. */
    secret: string;
  },
  by: Actor,
): Promise<boolean> {
  const on = database.of(organizationId);
  const key = { organizationId, id: memberId };
  const before = await on.transaction((manager) => manager.findOneByOrFail(StaffMember, key));
  if (before.passwordHash !== null && !(await isPassword(before.passwordHash, current, by.origin)))
    return false;
  const passwordHash = await hashPassword(password);
  return on.transaction(async (transaction) => {
    const member = await findLocked(transaction, key);
    const session = { organizationId, memberId, secretHash: hashOf(secret) };
    if (member?.passwordHash !== before.passwordHash || !(await transaction.existsBy(StaffSession, session)))
      return false;
    await updateGiven(transaction, StaffMember, { organizationId, id: memberId }, { passwordHash });
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
    return true;
  });
}

const ORGANIZATION_OF_SLUG = statement({
  parameters: ['text'],
  columns: { id: 'uuid?' },
  sql: 'SELECT organization_of_slug($1) AS id',
  prepared: true,
});

/** Runs before the organization is known, when row-level security hides all of its rows. */
async function organizationIdOf(database: Database, slug: string): Promise<string | null> {
  return (await database.anywhere((on) => ORGANIZATION_OF_SLUG.one(on, [slug]))).id;
}

/** The organization's member with an email, of an organization by its slug. */
export async function memberByEmail(
  database: Database,
  slug: string,
  email: string,
): Promise<StaffMember | null> {
  const organizationId = await organizationIdOf(database, slug);
  if (!organizationId) return null;
  return database.of(organizationId).transaction((manager) =>
    manager
      .createQueryBuilder(StaffMember, 'm')
      .where('m.organizationId = :organizationId AND m.emailNormalized = :email AND m.removedAt IS NULL', {
        organizationId,
        email: normalizeEmail(email),
      })
      .getOne(),
  );
}

async function open(
  manager: EntityManager,
  member: StaffMember,
  origin: string | null,
  by: 'LINK' | 'PASSWORD' | 'PROVIDER',
): Promise<OpenedSession> {
  const { organizationId, id: memberId } = member;
  const organization = await manager.findOneByOrFail(Organization, { id: organizationId });
  const secret = newSecret();
  const createdAt = LessThan(new Date(Date.now() - MOST_SESSION_HOURS * HOUR_MS));
  await manager.delete(StaffSession, { organizationId, memberId, createdAt });
  await manager.insert(StaffSession, { organizationId, memberId, secretHash: hashOf(secret) });
  await updateGiven(
    manager,
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
