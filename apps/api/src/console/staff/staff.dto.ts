import { IsEmail, IsIn, MaxLength } from 'class-validator';
import { type OrganizerRole, STAFF_ROLES, type StaffRole } from '#platform/database';

/** A member of the organization’s staff. */
export class StaffMemberItem {
  /** @format uuid */
  id: string;

  /** @format email */
  email: string;

  role: StaffRole;

  /**
   * For the role `PARTNER`: the partner that the member works for.
   * @format uuid
   */
  partnerId: string | null;

  /** Whether the member has set a password; until then they sign in with a link. */
  hasPassword: boolean;

  /** @format date-time */
  createdAt: string;

  /** @format date-time */
  lastSignedInAt: string | null;
}

/** The staff of the organization. */
export class StaffMembers {
  /** The first 1,000, oldest first. The command line lists all. */
  data: StaffMemberItem[];

  /**
   * The number of members.
   * @integer
   * @example 4
   */
  count: number;
}

/** A person to invite. */
export class StaffInvitation {
  /**
   * @maxLength 255
   * @format email
   */
  @IsEmail()
  @MaxLength(255)
  email: string;

  @IsIn(STAFF_ROLES)
  role: OrganizerRole;
}

/** A person to invite as a member of a partner. */
export class PartnerInvitation {
  /**
   * @maxLength 255
   * @format email
   */
  @IsEmail()
  @MaxLength(255)
  email: string;
}

/** A member, and the path of a link that signs them in once. It is not shown again. */
export class InvitedStaffMember {
  member: StaffMemberItem;

  /**
   * Append it to the URL of the console and send it to the member; Startline sends no email.
   * @example /console/redeem#organization=demo&token=J5V0bZ4m1gq3s1xqzZcC8n0z0m9o9f2yJv8n3lq2R1w
   */
  link: string;

  /**
   * When the link stops working.
   * @format date-time
   */
  expiresAt: string;
}

/** A member’s new role. */
export class StaffRoleChange {
  @IsIn(STAFF_ROLES)
  role: OrganizerRole;
}
