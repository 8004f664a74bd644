import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type EXTERNAL_ID_TYPES, type PARTNER_TYPES } from '#platform/validation';
import { Holds } from './holds';
import { Organization } from './organizations';
import { OwnedIndex, References, TimedRow } from './owned-row';

@Entity('partners')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@Index(['organizationId', 'createdAt', 'id'])
@Index(['organizationId', 'updatedAt', 'id'])
@OwnedIndex('partners_parent_idx', ['parentPartnerId'], { where: 'parent_partner_id IS NOT NULL' })
export class Partner extends TimedRow {
  @Holds('remarks', 'text') name: string;
  @Holds('remarks', 'text', { nullable: true }) description: string | null;
  @Holds('organizer', 'text', { nullable: true }) type: (typeof PARTNER_TYPES)[number] | null;
  @Holds('personal', 'jsonb', { default: [] }) contacts: {
    firstName: string;
    lastName: string;
    email: string;
    phone?: string | null;
    role?: string | null;
  }[];

  @Holds('remarks', 'jsonb', { nullable: true }) defaultMarketing: {
    optInText: string;
    url?: string | null;
    logoUrl?: string | null;
  } | null;
  @Holds('remarks', 'jsonb', { default: [] }) specificMarketings: {
    eventId: string;
    optInText: string;
    url?: string | null;
    logoUrl?: string | null;
  }[];
  @Column('boolean', { default: false }) canCreateSubPartners: boolean;

  /** Set at creation. A partner with a parent has no sub-partners. */
  @Column('uuid', { nullable: true }) parentPartnerId: string | null;
}

@Entity('partner_external_ids')
@References(() => Partner, 'partnerId')
@Unique(['organizationId', 'type', 'externalId'])
export class PartnerExternalId {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') partnerId: string;
  @Holds('platform', 'text', { primary: true }) type: (typeof EXTERNAL_ID_TYPES)[number];
  @Holds('foreign', 'text') externalId: string;
}
