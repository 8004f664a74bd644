import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';
import { Organization } from './organizations';
import { Partner } from './partners';

/** The roles of those who work for the organizer. */
export const STAFF_ROLES = ['OWNER', 'MANAGER', 'VIEWER', 'RACE_DAY'] as const;
/** With those who work for a partner of it. */
export const MEMBER_ROLES = [...STAFF_ROLES, 'PARTNER'] as const;
export type OrganizerRole = (typeof STAFF_ROLES)[number];
export type StaffRole = (typeof MEMBER_ROLES)[number];

/** A person who works for one organization in the console. A person who works for two is two members. */
@Entity('staff_members')
@Check('staff_members_partner', "(role = 'PARTNER') = (partner_id IS NOT NULL)")
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@ForeignKey(() => Partner, ['organizationId', 'partnerId'], ['organizationId', 'id'], {
  name: 'staff_members_partner_id_fkey',
})
@Index('staff_members_email_idx', ['organizationId', 'emailNormalized'], {
  unique: true,
  where: 'removed_at IS NULL',
})
export class StaffMember {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  @Holds('staff')
  email: string;

  @Column('text')
  @Holds('staff')
  emailNormalized: string;

  @Column('text')
  @Holds('platform')
  role: StaffRole;

  /** For the role PARTNER, and only for it: the member sees what this partner’s keys see. Never changes. */
  @Column('uuid', { nullable: true })
  partnerId: string | null;

  /** Argon2id in PHC format; null until the member sets a password. */
  @Column('text', { nullable: true })
  @Holds('staff')
  passwordHash: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;

  @Column('timestamptz', { nullable: true })
  lastSignedInAt: Date | null;

  @Column('timestamptz', { nullable: true })
  removedAt: Date | null;
}

/** A link that signs a member in once. Its token is not stored. */
@Entity('staff_links')
@ForeignKey(() => StaffMember, ['organizationId', 'memberId'], ['organizationId', 'id'])
@Index('staff_links_member_idx', ['organizationId', 'memberId'])
export class StaffLink {
  @PrimaryColumn('uuid')
  organizationId: string;

  /** SHA-256 of the token. */
  @PrimaryColumn('bytea')
  @Holds('platform')
  tokenHash: Buffer;

  @Column('uuid')
  memberId: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;

  @Column('timestamptz')
  expiresAt: Date;
}

/** A browser in which a member is signed in. */
@Entity('staff_sessions')
@ForeignKey(() => StaffMember, ['organizationId', 'memberId'], ['organizationId', 'id'])
@Index('staff_sessions_member_idx', ['organizationId', 'memberId'])
@Index('staff_sessions_last_seen_idx', ['lastSeenAt'])
export class StaffSession {
  @PrimaryColumn('uuid')
  organizationId: string;

  /** SHA-256 of the cookie's value, which is not stored. */
  @PrimaryColumn('bytea')
  @Holds('platform')
  secretHash: Buffer;

  @Column('uuid')
  memberId: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  lastSeenAt: Date;
}
