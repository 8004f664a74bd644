import { Column, Entity, Index } from 'typeorm';
import { DiscountCode } from './discounts';
import { Event, EventOccurrence } from './events';
import { Holds } from './holds';
import { OwnedIndex, References, TimedRow } from './owned-row';
import { Partner } from './partners';

export const BOOKING_SOURCES = ['WEBSITE', 'API', 'DASHBOARD'] as const;
export const BOOKER_TYPES = ['CONSUMER', 'PARTNER'] as const;

@Entity('bookings')
@References(() => Event, 'eventId')
@References(() => EventOccurrence, 'eventOccurrenceId')
@References(() => Partner, 'partnerId')
@References(() => DiscountCode, 'discountCodeId')
@OwnedIndex('bookings_live_external_id_idx', ['externalBookingId'], {
  unique: true,
  where: "status = 'CONFIRMED'",
})
@OwnedIndex('bookings_external_id_idx', ['externalBookingId', 'createdAt', 'id'])
@Index(['organizationId', 'createdAt', 'id'])
@OwnedIndex('bookings_updated_idx', ['updatedAt', 'id', 'status'])
@OwnedIndex('bookings_occurrence_updated_idx', ['eventOccurrenceId', 'updatedAt', 'id'])
@OwnedIndex('bookings_via_partner_updated_idx', ['viaPartnerId', 'updatedAt', 'id'], {
  where: 'via_partner_id IS NOT NULL',
})
@OwnedIndex('bookings_via_top_partner_updated_idx', ['viaTopPartnerId', 'updatedAt', 'id'], {
  where: 'via_top_partner_id IS NOT NULL',
})
@OwnedIndex('bookings_discount_code_idx', ['discountCodeId'], { where: 'discount_code_id IS NOT NULL' })
export class Booking extends TimedRow {
  @Holds('foreign', 'text', { nullable: true }) externalBookingId: string | null;
  @Holds('platform', 'text') source: (typeof BOOKING_SOURCES)[number];
  @Holds('platform', 'text', { default: 'CONFIRMED' }) status: 'CONFIRMED' | 'CANCELLED';
  @Column('uuid') eventId: string;
  @Column('uuid') eventOccurrenceId: string;

  /** The checkout, which is the same for all its bookings. */
  @Column('uuid') transactionId: string;
  @Holds('personal', 'text', { nullable: true }) bookerFirstName: string | null;
  @Holds('personal', 'text', { nullable: true }) bookerLastName: string | null;
  @Holds('personal', 'text', { nullable: true }) bookerEmail: string | null;
  @Holds('personal', 'text', { nullable: true }) bookerPhone: string | null;
  @Holds('platform', 'text', { default: 'CONSUMER' }) bookerType: (typeof BOOKER_TYPES)[number];
  @Column('uuid', { nullable: true }) partnerId: string | null;
  @Holds('platform', 'text') currencyCode: string;
  @Column('bigint') totalValue: string;
  @Column('uuid', { nullable: true }) discountCodeId: string | null;

  /** The uses of the discount code while the booking is confirmed. */
  @Column('int', { default: 0 }) discountUses: number;
  @Holds('foreign', 'text', { array: true, default: [] }) referralCodes: string[];
  @Holds('personal', 'jsonb', { default: {} }) tracking: Record<string, unknown>;

  /** The metadata of the import row. */
  @Holds('personal', 'jsonb', { default: {} }) metadata: Record<string, unknown>;
  @Column('timestamptz', { nullable: true }) bookedAt: Date | null;
  @Column('timestamptz', { nullable: true }) cancelledAt: Date | null;

  /** The partner through whom all entries came; null if there is another, or none. A trigger sets it. */
  @Column('uuid', { nullable: true }) viaPartnerId: string | null;

  /** The same, with a parent and its sub-partners as one. */
  @Column('uuid', { nullable: true }) viaTopPartnerId: string | null;
}

@Entity('line_items')
@References(() => Booking, 'bookingId')
@Index(['organizationId', 'updatedAt', 'id'])
@Index(['organizationId', 'bookingId', 'createdAt', 'id'])
@OwnedIndex('line_items_credit_idx', ['itemId'], { where: "item_type = 'CREDIT'" })
@OwnedIndex('line_items_external_id_idx', ['externalLineItemId'], {
  unique: true,
  where: 'released_at IS NULL',
})
export class LineItem extends TimedRow {
  @Column('uuid') bookingId: string;
  @Column('uuid', { nullable: true }) participantId: string | null;
  @Holds('platform', 'text') itemType:
    | 'TICKET'
    | 'ADD_ON'
    | 'DONATION'
    | 'BOOKING_FEE'
    | 'DISCOUNT'
    | 'CREDIT'
    | 'REFUND';
  @Holds('personal', 'text') name: string;
  @Holds('foreign', 'text', { nullable: true }) itemId: string | null;
  @Holds('foreign', 'text', { nullable: true }) itemSelectionId: string | null;
  @Column('bigint') amountValue: string;
  @Holds('platform', 'text') currencyCode: string;
  @Holds('foreign', 'text', { nullable: true }) externalLineItemId: string | null;

  /** When the cancellation of the booking freed the external id. */
  @Column('timestamptz', { nullable: true }) releasedAt: Date | null;
}
