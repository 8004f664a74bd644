import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  changeRole,
  consolePathOf,
  type InvitedMember,
  inviteMember,
  linkMember,
  listMembers,
  NoSuchMember,
  removeMember,
  resetMember,
  StaffRefused,
} from '#domain/staff';
import { Database, Organization, type OrganizerRole, Partner, StaffMember } from '#platform/database';
import type { Acting } from '#platform/http';
import { errors } from '#platform/validation';
import { consoleErrors } from '../console.errors';
import { instantOf } from '../instant-of';
import type {
  InvitedStaffMember,
  PartnerInvitation,
  StaffInvitation,
  StaffMemberItem,
  StaffMembers,
} from './staff.dto';

/** The most members in the list. */
const MOST = 1_000;

/** Management of staff members by owners. */
@Injectable()
export class StaffService {
  constructor(private readonly database: Database) {}

  async list({ organizationId }: Acting): Promise<StaffMembers> {
    const [members, count] = await this.within(organizationId, (manager) =>
      listMembers(manager, organizationId, { most: MOST }),
    );
    return { data: members.map(itemOf), count };
  }

  invite({ organizationId, actor }: Acting, asked: StaffInvitation): Promise<InvitedStaffMember> {
    return this.linked(organizationId, (manager) =>
      inviteMember(manager, { organizationId, ...asked }, actor),
    );
  }

  async listOfPartner({ organizationId }: Acting, partnerId: string): Promise<StaffMembers> {
    const [members, count] = await this.within(organizationId, async (manager) => {
      await requirePartner(manager, organizationId, partnerId);
      return listMembers(manager, organizationId, { most: MOST, partnerId });
    });
    return { data: members.map(itemOf), count };
  }

  inviteToPartner(
    { organizationId, actor }: Acting,
    partnerId: string,
    { email }: PartnerInvitation,
  ): Promise<InvitedStaffMember> {
    return this.linked(organizationId, async (manager) => {
      await requirePartner(manager, organizationId, partnerId);
      return inviteMember(manager, { organizationId, email, role: 'PARTNER', partnerId }, actor);
    });
  }

  reset({ organizationId, actor }: Acting, id: string): Promise<InvitedStaffMember> {
    return this.linked(organizationId, (manager) => resetMember(manager, { organizationId, id }, actor));
  }

  /** Another link for a member. Their password and sessions stay valid. */
  link({ organizationId, actor }: Acting, id: string): Promise<InvitedStaffMember> {
    return this.linked(organizationId, (manager) => linkMember(manager, { organizationId, id }, actor));
  }

  /** @throws ApiError 404 */
  async one({ organizationId }: Pick<Acting, 'organizationId'>, id: string): Promise<StaffMemberItem> {
    const member = await this.within(organizationId, (manager) =>
      manager.findOneBy(StaffMember, { organizationId, id }),
    );
    if (!member) throw consoleErrors.noSuchMember();
    return itemOf(member);
  }

  changeRole({ organizationId, actor }: Acting, id: string, role: OrganizerRole): Promise<StaffMemberItem> {
    return refusable(async () =>
      itemOf(
        await this.within(organizationId, (manager) =>
          changeRole(manager, { organizationId, id }, role, actor),
        ),
      ),
    );
  }

  remove({ organizationId, actor }: Acting, id: string): Promise<StaffMemberItem> {
    return refusable(async () =>
      itemOf(
        await this.within(organizationId, (manager) => removeMember(manager, { organizationId, id }, actor)),
      ),
    );
  }

  private linked(
    organizationId: string,
    work: (manager: EntityManager) => Promise<InvitedMember>,
  ): Promise<InvitedStaffMember> {
    return refusable(() =>
      this.within(organizationId, async (manager) => {
        const { member, token, expiresAt } = await work(manager);
        const { slug } = await manager.findOneByOrFail(Organization, { id: organizationId });
        return { member: itemOf(member), link: consolePathOf(slug, token), expiresAt: instantOf(expiresAt) };
      }),
    );
  }

  private within<T>(organizationId: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.database.of(organizationId).transaction(work);
  }
}

async function requirePartner(manager: EntityManager, organizationId: string, id: string): Promise<void> {
  if (!(await manager.existsBy(Partner, { organizationId, id }))) throw errors.notFound();
}

async function refusable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoSuchMember) throw consoleErrors.noSuchMember();
    throw error instanceof StaffRefused ? errors.invalid(error.message) : error;
  }
}

const itemOf = (member: StaffMember): StaffMemberItem => {
  const { id, email, role, partnerId, passwordHash, createdAt, lastSignedInAt } = member;
  return {
    ...{ id, email, role, partnerId },
    hasPassword: Boolean(passwordHash),
    createdAt: instantOf(createdAt ?? new Date()),
    lastSignedInAt: lastSignedInAt ? instantOf(lastSignedInAt) : null,
  };
};
