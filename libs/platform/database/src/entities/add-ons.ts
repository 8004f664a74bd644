import { Column, Entity, Index } from 'typeorm';
import { Booking, LineItem } from './bookings';
import { Event, EventOccurrence } from './events';
import { Holds } from './holds';
import { OwnedIndex, References, TimedRow } from './owned-row';

/** A product that is sold in addition to the entry, such as a T-shirt. */
@Entity('add_ons')
@References(() => Event, 'eventId')
@References(() => EventOccurrence, 'eventOccurrenceId')
@Index(['organizationId', 'eventId'])
export class AddOn extends TimedRow {
  @Column('uuid') eventId: string;

  /** `null`: every occurrence of the event sells it. */
  @Column('uuid', { nullable: true }) eventOccurrenceId: string | null;
  @Holds('organizer', 'text') title: string;
  @Column('bigint') priceValue: string;
  @Holds('platform', 'text') currencyCode: string;
}

@Entity('add_on_variants')
@References(() => AddOn, 'addOnId')
@Index(['organizationId', 'addOnId', 'position'])
export class AddOnVariant extends TimedRow {
  @Column('uuid') addOnId: string;
  @Column('int', { default: 0 }) position: number;
  @Holds('organizer', 'text') title: string;
}

export const OPERATIONAL_STATUSES = ['ALLOCATED', 'FULFILLED', 'CANCELLED'] as const;
export const FINANCIAL_STATUSES = ['PAID', 'UNPAID', 'REFUNDED'] as const;

/** An add-on of one participant. */
@Entity('add_on_allocations')
@References(() => Booking, 'bookingId')
@References(() => LineItem, 'purchaseLineItemId')
@References(() => AddOn, 'addOnId')
@References(() => AddOnVariant, 'variantId')
@Index(['organizationId', 'bookingId', 'createdAt', 'id'])
@OwnedIndex('add_on_allocations_external_id_idx', ['externalAllocationId'], {
  unique: true,
  where: 'released_at IS NULL',
})
export class AddOnAllocation extends TimedRow {
  @Column('uuid') bookingId: string;
  @Column('uuid') participantId: string;
  @Column('uuid', { nullable: true }) purchaseLineItemId: string | null;
  @Column('uuid') addOnId: string;
  @Column('uuid', { nullable: true }) variantId: string | null;
  @Column('int') quantity: number;
  @Column('bigint') unitPriceValue: string;
  @Holds('platform', 'text') currencyCode: string;
  @Holds('platform', 'text', { default: 'ALLOCATED' })
  operationalStatus: (typeof OPERATIONAL_STATUSES)[number];
  @Holds('platform', 'text', { default: 'PAID' }) financialStatus: (typeof FINANCIAL_STATUSES)[number];
  @Holds('foreign', 'text', { nullable: true }) externalAllocationId: string | null;

  /** When the cancellation of the booking freed the external id. */
  @Column('timestamptz', { nullable: true }) releasedAt: Date | null;
}
