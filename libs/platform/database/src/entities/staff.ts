import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Holds } from './holds';
import { Organization } from './organizations';
import { NOW, OwnedIndex, OwnedRow, References } from './owned-row';
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
@OwnedIndex('staff_members_email_idx', ['emailNormalized'], { unique: true, where: 'removed_at IS NULL' })
export class StaffMember extends OwnedRow {
  @Holds('staff', 'text') email: string;
  @Holds('staff', 'text') emailNormalized: string;
  @Holds('platform', 'text') role: StaffRole;

  /** For the role PARTNER, and only for it: the member sees what this partner’s keys see. Never changes. */
  @Column('uuid', { nullable: true }) partnerId: string | null;

  /** Argon2id in PHC format; null until the member sets a password. */
  @Holds('staff', 'text', { nullable: true }) passwordHash: string | null;
  @Column(NOW) createdAt: Date;
  @Column('timestamptz', { nullable: true }) lastSignedInAt: Date | null;
  @Column('timestamptz', { nullable: true }) removedAt: Date | null;
}

/** A link that signs a member in once. Its token is not stored. */
@Entity('staff_links')
@References(() => StaffMember, 'memberId')
@OwnedIndex('staff_links_member_idx', ['memberId'])
export class StaffLink {
  @PrimaryColumn('uuid') organizationId: string;

  /** SHA-256 of the token. */
  @Holds('platform', 'bytea', { primary: true }) tokenHash: Buffer;
  @Column('uuid') memberId: string;
  @Column(NOW) createdAt: Date;
  @Column('timestamptz') expiresAt: Date;
}

/** A browser in which a member is signed in. */
@Entity('staff_sessions')
@References(() => StaffMember, 'memberId')
@OwnedIndex('staff_sessions_member_idx', ['memberId'])
@Index('staff_sessions_last_seen_idx', ['lastSeenAt'])
export class StaffSession {
  @PrimaryColumn('uuid') organizationId: string;

  /** SHA-256 of the cookie's value, which is not stored. */
  @Holds('platform', 'bytea', { primary: true }) secretHash: Buffer;
  @Column('uuid') memberId: string;
  @Column(NOW) createdAt: Date;
  @Column(NOW) lastSeenAt: Date;
}
