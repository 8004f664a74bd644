import { Column, Entity, Index } from 'typeorm';
import { DiscountCode } from './discounts';
import { Event, EventOccurrence } from './events';
import { Holds } from './holds';
import { References, TimedRow } from './owned-row';
import { Partner } from './partners';

export const BOOKING_SOURCES = ['WEBSITE', 'API', 'DASHBOARD'] as const;
export const BOOKER_TYPES = ['CONSUMER', 'PARTNER'] as const;

@Entity('bookings')
@References(() => Event, 'eventId')
@References(() => EventOccurrence, 'eventOccurrenceId')
@References(() => Partner, 'partnerId')
@References(() => DiscountCode, 'discountCodeId')
@Index('bookings_live_external_id_idx', ['organizationId', 'externalBookingId'], {
  unique: true,
  where: "status = 'CONFIRMED'",
})
@Index('bookings_external_id_idx', ['organizationId', 'externalBookingId', 'createdAt', 'id'])
@Index(['organizationId', 'createdAt', 'id'])
@Index('bookings_updated_idx', ['organizationId', 'updatedAt', 'id', 'status'])
@Index('bookings_occurrence_updated_idx', ['organizationId', 'eventOccurrenceId', 'updatedAt', 'id'])
@Index('bookings_via_partner_updated_idx', ['organizationId', 'viaPartnerId', 'updatedAt', 'id'], {
  where: 'via_partner_id IS NOT NULL',
})
@Index('bookings_via_top_partner_updated_idx', ['organizationId', 'viaTopPartnerId', 'updatedAt', 'id'], {
  where: 'via_top_partner_id IS NOT NULL',
})
@Index('bookings_discount_code_idx', ['organizationId', 'discountCodeId'], {
  where: 'discount_code_id IS NOT NULL',
})
export class Booking extends TimedRow {
  @Column('text', { nullable: true })
  @Holds('foreign')
  externalBookingId: string | null;

  @Column('text')
  @Holds('platform')
  source: (typeof BOOKING_SOURCES)[number];

  @Column('text', { default: 'CONFIRMED' })
  @Holds('platform')
  status: 'CONFIRMED' | 'CANCELLED';

  @Column('uuid')
  eventId: string;

  @Column('uuid')
  eventOccurrenceId: string;

  /** The checkout, which is the same for all its bookings. */
  @Column('uuid')
  transactionId: string;

  @Column('text', { nullable: true })
  @Holds('personal')
  bookerFirstName: string | null;

  @Column('text', { nullable: true })
  @Holds('personal')
  bookerLastName: string | null;

  @Column('text', { nullable: true })
  @Holds('personal')
  bookerEmail: string | null;

  @Column('text', { nullable: true })
  @Holds('personal')
  bookerPhone: string | null;

  @Column('text', { default: 'CONSUMER' })
  @Holds('platform')
  bookerType: (typeof BOOKER_TYPES)[number];

  @Column('uuid', { nullable: true })
  partnerId: string | null;

  @Column('text')
  @Holds('platform')
  currencyCode: string;

  @Column('bigint')
  totalValue: string;

  @Column('uuid', { nullable: true })
  discountCodeId: string | null;

  /** The uses of the discount code while the booking is confirmed. */
  @Column('int', { default: 0 })
  discountUses: number;

  @Column('text', { array: true, default: [] })
  @Holds('foreign')
  referralCodes: string[];

  @Column('jsonb', { default: {} })
  @Holds('personal')
  tracking: Record<string, unknown>;

  /** The metadata of the import row. */
  @Column('jsonb', { default: {} })
  @Holds('personal')
  metadata: Record<string, unknown>;

  @Column('timestamptz', { nullable: true })
  bookedAt: Date | null;

  @Column('timestamptz', { nullable: true })
  cancelledAt: Date | null;

  /** The partner through whom all entries came; null if there is another, or none. A trigger sets it. */
  @Column('uuid', { nullable: true })
  viaPartnerId: string | null;

  /** The same, with a parent and its sub-partners as one. */
  @Column('uuid', { nullable: true })
  viaTopPartnerId: string | null;
}

@Entity('line_items')
@References(() => Booking, 'bookingId')
@Index(['organizationId', 'updatedAt', 'id'])
@Index(['organizationId', 'bookingId', 'createdAt', 'id'])
@Index('line_items_credit_idx', ['organizationId', 'itemId'], { where: "item_type = 'CREDIT'" })
@Index('line_items_external_id_idx', ['organizationId', 'externalLineItemId'], {
  unique: true,
  where: 'released_at IS NULL',
})
export class LineItem extends TimedRow {
  @Column('uuid')
  bookingId: string;

  @Column('uuid', { nullable: true })
  participantId: string | null;

  @Column('text')
  @Holds('platform')
  itemType: 'TICKET' | 'ADD_ON' | 'DONATION' | 'BOOKING_FEE' | 'DISCOUNT' | 'CREDIT' | 'REFUND';

  @Column('text')
  @Holds('personal')
  name: string;

  @Column('text', { nullable: true })
  @Holds('foreign')
  itemId: string | null;

  @Column('text', { nullable: true })
  @Holds('foreign')
  itemSelectionId: string | null;

  @Column('bigint')
  amountValue: string;

  @Column('text')
  @Holds('platform')
  currencyCode: string;

  @Column('text', { nullable: true })
  @Holds('foreign')
  externalLineItemId: string | null;

  /** When the cancellation of the booking freed the external id. */
  @Column('timestamptz', { nullable: true })
  releasedAt: Date | null;
}
