import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Holds } from './holds';
import { Organization } from './organizations';
import { References, TimedRow } from './owned-row';
import { Partner } from './partners';
import type { Discount } from './reserved-entries';

/** A trigger on bookings updates `usage_count`: entries if `applies_per` is ENTRY, or bookings. */
@Entity('discount_codes')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@References(() => Partner, 'partnerId')
// compared(code) is unique among those not deleted; TypeORM can't declare an index on an expression.
@Index('discount_codes_code_idx', { synchronize: false })
@Index('discount_codes_created_idx', ['organizationId', 'createdAt', 'id'], { where: 'deleted_at IS NULL' })
@Index('discount_codes_partner_idx', ['organizationId', 'partnerId'], { where: 'partner_id IS NOT NULL' })
export class DiscountCode extends TimedRow {
  @Column('text')
  @Holds('organizer')
  code: string;

  @Column('jsonb')
  @Holds('organizer')
  discount: Discount;

  @Column('text', { default: 'TRANSACTION' })
  @Holds('platform')
  appliesPer: 'TRANSACTION' | 'ENTRY';

  @Column('int', { nullable: true })
  limitUsage: number | null;

  @Column('int', { nullable: true })
  limitUsagePerTransaction: number | null;

  @Column('int', { default: 0 })
  usageCount: number;

  /** `group` in the API, an internal name. */
  @Column('text', { nullable: true })
  @Holds('remarks')
  groupName: string | null;

  @Column('uuid', { array: true, nullable: true })
  eventOccurrenceIds: string[] | null;

  @Column('uuid', { array: true, nullable: true })
  ticketIds: string[] | null;

  @Column('uuid', { nullable: true })
  partnerId: string | null;

  @Column('timestamptz', { nullable: true })
  startDateTime: Date | null;

  @Column('timestamptz', { nullable: true })
  endDateTime: Date | null;

  @Column('timestamptz', { nullable: true })
  deletedAt: Date | null;
}

@Entity('credits')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@Index('credits_external_id_idx', ['organizationId', 'externalCreditId'], { unique: true })
@Index(['organizationId', 'emailNormalized'])
@Index('credits_created_idx', ['organizationId', 'createdAt', 'id'])
@Index('credits_event_idx', ['organizationId', 'eventId', 'createdAt', 'id'], {
  where: 'event_id IS NOT NULL',
})
export class Credit extends TimedRow {
  @Column('text', { default: 'CREDIT' })
  @Holds('platform')
  kind: 'CREDIT' | 'GIFT_CARD';

  @Column('text', { nullable: true })
  @Holds('foreign')
  externalCreditId: string | null;

  @Column('text')
  @Holds('personal')
  email: string;

  @Column('text')
  @Holds('personal')
  emailNormalized: string;

  @Column('bigint')
  amountValue: string;

  @Column('text')
  @Holds('platform')
  currencyCode: string;

  @Column('text', { nullable: true })
  @Holds('personal')
  reason: string | null;

  @Column('timestamptz', { nullable: true })
  expiresAt: Date | null;

  @Column('uuid', { nullable: true })
  eventId: string | null;
}
