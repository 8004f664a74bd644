import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type EXTERNAL_ID_TYPES, type PARTNER_TYPES } from '#platform/validation';
import { Holds } from './holds';
import { Organization } from './organizations';
import { TimedRow } from './owned-row';

@Entity('partners')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@Index(['organizationId', 'createdAt', 'id'])
@Index(['organizationId', 'updatedAt', 'id'])
@Index('partners_parent_idx', ['organizationId', 'parentPartnerId'], {
  where: 'parent_partner_id IS NOT NULL',
})
export class Partner extends TimedRow {
  @Column('text')
  @Holds('remarks')
  name: string;

  @Column('text', { nullable: true })
  @Holds('remarks')
  description: string | null;

  @Column('text', { nullable: true })
  @Holds('organizer')
  type: (typeof PARTNER_TYPES)[number] | null;

  @Column('jsonb', { default: [] })
  @Holds('personal')
  contacts: {
    firstName: string;
    lastName: string;
    email: string;
    phone?: string | null;
    role?: string | null;
  }[];

  @Column('jsonb', { nullable: true })
  @Holds('remarks')
  defaultMarketing: { optInText: string; url?: string | null; logoUrl?: string | null } | null;

  @Column('jsonb', { default: [] })
  @Holds('remarks')
  specificMarketings: { eventId: string; optInText: string; url?: string | null; logoUrl?: string | null }[];

  @Column('boolean', { default: false })
  canCreateSubPartners: boolean;

  /** Set at creation. A partner with a parent has no sub-partners. */
  @Column('uuid', { nullable: true })
  parentPartnerId: string | null;
}

@Entity('partner_external_ids')
@ForeignKey(() => Partner, ['organizationId', 'partnerId'], ['organizationId', 'id'])
@Unique(['organizationId', 'type', 'externalId'])
export class PartnerExternalId {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('uuid')
  partnerId: string;

  @PrimaryColumn('text')
  @Holds('platform')
  type: (typeof EXTERNAL_ID_TYPES)[number];

  @Column('text')
  @Holds('foreign')
  externalId: string;
}
