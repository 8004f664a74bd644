import type { OrganizerRole, StaffRole } from '#platform/database';
import { DateTime, Email, Id, Int, Text } from '#platform/validation';

/** A member of the organization’s staff. */
export class StaffMemberItem {
  @Id() id: string;
  @Email() email: string;
  role: StaffRole;

  /** For the role `PARTNER`: the partner that the member works for. */
  @Id() partnerId: string | null;

  /** Whether the member has set a password; until then they sign in with a link. */
  hasPassword: boolean;
  @DateTime() createdAt: string;

  /** When the member last signed in. */
  @DateTime() lastSignedInAt: string | null;
}

/** The staff of the organization. */
export class StaffMembers {
  /** The first 1,000, oldest first. The command line lists all. */
  data: StaffMemberItem[];

  /** The number of members. */
  @Int({ example: 4 }) count: number;
}

/** A person to invite. */
export class StaffInvitation {
  @Email({ max: 255 }) email: string;
  role: OrganizerRole;
}

/** A person to invite as a member of a partner. */
export class PartnerInvitation {
  @Email({ max: 255 }) email: string;
}

/** A member, and the path of a link that signs them in once. It is not shown again. */
export class InvitedStaffMember {
  member: StaffMemberItem;

  /** Append it to the URL of the console and send it to the member; Startline sends no email. */
  @Text({ example: '/console/redeem#organization=demo&token=J5V0bZ4m1gq3s1xqzZcC8n0z0m9o9f2yJv8n3lq2R1w' })
  link: string;

  /** When the link stops working. */
  @DateTime() expiresAt: string;
}

/** A member’s new role. */
export class StaffRoleChange {
  role: OrganizerRole;
}
