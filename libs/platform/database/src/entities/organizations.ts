import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Holds } from './holds';

/** An organization (organizer in the API), which owns all other rows. */
@Entity('organizations')
@Unique(['slug'])
export class Organization {
  /** UUID version 7; `organiserId` in the key identity. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  @Holds('organizer')
  slug: string;

  @Column('text')
  @Holds('organizer')
  name: string;

  @Column('text', { nullable: true })
  @Holds('organizer')
  website: string | null;

  @Column('text', { nullable: true })
  @Holds('organizer')
  logoUrl: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;

  /** For tries: outside the marketplace, and marked in keys and webhooks. Never changes. */
  @Column('boolean', { default: false })
  sandbox: boolean;

  /** Set when the organization is closed: its keys then get 401. */
  @Column('timestamptz', { nullable: true })
  deletedAt: Date | null;
}

/** A surface that is enabled for the organization. */
@Entity('organization_surfaces')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class OrganizationSurface {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('text')
  @Holds('platform')
  surface: string;
}

/** An API key. The token is not stored. Restrictions and revocation are stored here, because a token can't change. */
@Entity('api_keys')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@Index(['organizationId', 'name'])
export class ApiKey {
  @PrimaryColumn('uuid')
  organizationId: string;

  /** The token's `jti`. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  @Holds('platform')
  kind: 'ORGANIZER' | 'MARKETPLACE' | 'TIMING';

  @Column('text')
  @Holds('organizer')
  name: string;

  /** The last four characters of the token, by which people can distinguish keys. */
  @Column('text')
  @Holds('platform')
  last4: string;

  /** Absent or non-empty. */
  @Column('uuid', { array: true, nullable: true })
  eventOccurrenceIds: string[] | null;

  /** Absent or non-empty; operation names such as `registrationStatus`. */
  @Column('text', { array: true, nullable: true })
  @Holds('platform')
  endpoints: string[] | null;

  /** Absent: everything that the kind reaches. Can be narrowed, never widened. */
  @Column('text', { array: true, nullable: true })
  @Holds('platform')
  permissions: string[] | null;

  /** The token's `iat`. */
  @Column('timestamptz', { default: () => "date_trunc('second', clock_timestamp())" })
  createdAt: Date;

  /** Whether the key may only call operations that change nothing. Set at creation. */
  @Column('boolean', { default: false })
  readOnly: boolean;

  /** For timing keys: what the key may read about participants. */
  @Column('text', { array: true, nullable: true })
  @Holds('organizer')
  reads: string[] | null;

  /** From this time on, requests with the key get 401. */
  @Column('timestamptz', { nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt: Date | null;

  @Column('timestamptz', { nullable: true })
  lastUsedAt: Date | null;

  /** The key sees what this partner sees. Set at creation. */
  @Column('uuid', { nullable: true })
  partnerId: string | null;
}
