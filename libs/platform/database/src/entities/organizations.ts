import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Holds } from './holds';
import { NOW } from './owned-row';

/** An organization (organizer in the API), which owns all other rows. */
@Entity('organizations')
@Unique(['slug'])
export class Organization {
  /** UUID version 7; `organiserId` in the key identity. */
  @PrimaryColumn('uuid') id: string;
  @Holds('organizer', 'text') slug: string;
  @Holds('organizer', 'text') name: string;
  @Holds('organizer', 'text', { nullable: true }) website: string | null;
  @Holds('organizer', 'text', { nullable: true }) logoUrl: string | null;
  @Column(NOW) createdAt: Date;

  /** For tries: outside the marketplace, and marked in keys and webhooks. Never changes. */
  @Column('boolean', { default: false }) sandbox: boolean;

  /** Set when the organization is closed: its keys then get 401. */
  @Column('timestamptz', { nullable: true }) deletedAt: Date | null;
}

/** A surface that is enabled for the organization. */
@Entity('organization_surfaces')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class OrganizationSurface {
  @PrimaryColumn('uuid') organizationId: string;
  @Holds('platform', 'text', { primary: true }) surface: string;
}

/** An API key. The token is not stored. Restrictions and revocation are stored here, because a token can't change. */
@Entity('api_keys')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@Index(['organizationId', 'name'])
export class ApiKey {
  @PrimaryColumn('uuid') organizationId: string;

  /** The token's `jti`. */
  @PrimaryColumn('uuid') id: string;
  @Holds('platform', 'text') kind: 'ORGANIZER' | 'MARKETPLACE' | 'TIMING';
  @Holds('organizer', 'text') name: string;

  /** The last four characters of the token, by which people can distinguish keys. */
  @Holds('platform', 'text') last4: string;

  /** Absent or non-empty. */
  @Column('uuid', { array: true, nullable: true }) eventOccurrenceIds: string[] | null;

  /** Absent or non-empty; operation names such as `registrationStatus`. */
  @Holds('platform', 'text', { array: true, nullable: true }) endpoints: string[] | null;

  /** Absent: everything that the kind reaches. Can be narrowed, never widened. */
  @Holds('platform', 'text', { array: true, nullable: true }) permissions: string[] | null;

  /** The token's `iat`. */
  @Column('timestamptz', { default: () => "date_trunc('second', clock_timestamp())" }) createdAt: Date;

  /** Whether the key may only call operations that change nothing. Set at creation. */
  @Column('boolean', { default: false }) readOnly: boolean;

  /** For timing keys: what the key may read about participants. */
  @Holds('organizer', 'text', { array: true, nullable: true }) reads: string[] | null;

  /** From this time on, requests with the key get 401. */
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  @Column('timestamptz', { nullable: true }) revokedAt: Date | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;

  /** The key sees what this partner sees. Set at creation. */
  @Column('uuid', { nullable: true }) partnerId: string | null;
}
