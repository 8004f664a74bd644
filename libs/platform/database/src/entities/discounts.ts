import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Holds } from './holds';
import { Organization } from './organizations';
import { OwnedIndex, References, TimedRow } from './owned-row';
import { Partner } from './partners';
import type { Discount } from './reserved-entries';

/** A trigger on bookings updates `usage_count`: entries if `applies_per` is ENTRY, or bookings. */
@Entity('discount_codes')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@References(() => Partner, 'partnerId')
// compared(code) is unique among those not deleted; TypeORM can't declare an index on an expression.
@Index('discount_codes_code_idx', { synchronize: false })
@OwnedIndex('discount_codes_created_idx', ['createdAt', 'id'], { where: 'deleted_at IS NULL' })
@OwnedIndex('discount_codes_partner_idx', ['partnerId'], { where: 'partner_id IS NOT NULL' })
export class DiscountCode extends TimedRow {
  @Holds('organizer', 'text') code: string;
  @Holds('organizer', 'jsonb') discount: Discount;
  @Holds('platform', 'text', { default: 'TRANSACTION' }) appliesPer: 'TRANSACTION' | 'ENTRY';
  @Column('int', { nullable: true }) limitUsage: number | null;
  @Column('int', { nullable: true }) limitUsagePerTransaction: number | null;
  @Column('int', { default: 0 }) usageCount: number;

  /** `group` in the API, an internal name. */
  @Holds('remarks', 'text', { nullable: true }) groupName: string | null;
  @Column('uuid', { array: true, nullable: true }) eventOccurrenceIds: string[] | null;
  @Column('uuid', { array: true, nullable: true }) ticketIds: string[] | null;
  @Column('uuid', { nullable: true }) partnerId: string | null;
  @Column('timestamptz', { nullable: true }) startDateTime: Date | null;
  @Column('timestamptz', { nullable: true }) endDateTime: Date | null;
  @Column('timestamptz', { nullable: true }) deletedAt: Date | null;
}

@Entity('credits')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@OwnedIndex('credits_external_id_idx', ['externalCreditId'], { unique: true })
@Index(['organizationId', 'emailNormalized'])
@OwnedIndex('credits_created_idx', ['createdAt', 'id'])
@OwnedIndex('credits_event_idx', ['eventId', 'createdAt', 'id'], { where: 'event_id IS NOT NULL' })
export class Credit extends TimedRow {
  @Holds('platform', 'text', { default: 'CREDIT' }) kind: 'CREDIT' | 'GIFT_CARD';
  @Holds('foreign', 'text', { nullable: true }) externalCreditId: string | null;
  @Holds('personal', 'text') email: string;
  @Holds('personal', 'text') emailNormalized: string;
  @Column('bigint') amountValue: string;
  @Holds('platform', 'text') currencyCode: string;
  @Holds('personal', 'text', { nullable: true }) reason: string | null;
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  @Column('uuid', { nullable: true }) eventId: string | null;
}
