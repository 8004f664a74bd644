import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Event, EventOccurrence, Ticket } from './events';
import { Holds } from './holds';
import { OwnedIndex, References, TimedRow } from './owned-row';
import { Partner } from './partners';

export type Discount =
  | { type: 'FLAT_RATE'; price: { value: number; currencyCode: string } }
  | { type: 'PERCENTAGE'; amount: number; isAppliedToBookingFee: boolean };

/** Places that are reserved for a partner. A trigger on the start list updates `used_capacity`. */
@Entity('reserved_entry_groups')
@References(() => Event, 'eventId')
@References(() => EventOccurrence, 'eventOccurrenceId')
@References(() => Partner, 'partnerId')
@OwnedIndex('reserved_entry_groups_partner_idx', ['partnerId'], { where: 'partner_id IS NOT NULL' })
@Index(['organizationId', 'eventId', 'createdAt', 'id'])
@Index(['organizationId', 'eventOccurrenceId', 'createdAt', 'id'])
export class ReservedEntryGroup extends TimedRow {
  @Column('uuid') eventId: string;
  @Column('uuid') eventOccurrenceId: string;
  @Column('uuid', { nullable: true }) partnerId: string | null;
  @Holds('organizer', 'text') name: string;
  @Holds('organizer', 'text', { nullable: true }) description: string | null;

  /** The code that members enter at checkout. */
  @Holds('organizer', 'text') code: string;

  /** The link for members. */
  @Holds('organizer', 'text', { nullable: true }) url: string | null;
  @Holds('platform', 'text', { default: 'MULTI_USE' }) type: 'MULTI_USE' | 'SINGLE_USE';
  @Column('int') maxCapacity: number;
  @Column('int', { default: 0 }) usedCapacity: number;
  @Column('boolean', { default: false }) canPartnerCancel: boolean;
  @Holds('platform', 'text', { default: 'RESERVE_CAPACITY' }) reserveCapacity:
    | 'IGNORE_CAPACITY'
    | 'RESERVE_CAPACITY';
  @Column('boolean', { default: false }) reallocateOnCancel: boolean;
  @Holds('organizer', 'text', { nullable: true }) domainRestriction: string | null;

  /** Until when the partner can assign, transfer and cancel places. */
  @Column('timestamptz', { nullable: true }) deadline: Date | null;
}

@Entity('reserved_entry_group_tickets')
@References(() => ReservedEntryGroup, 'reservedEntryGroupId')
@References(() => Ticket, 'ticketId')
export class ReservedEntryGroupTicket {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') reservedEntryGroupId: string;
  @PrimaryColumn('uuid') ticketId: string;
  @Column('int', { default: 0 }) position: number;
  @Column('int', { nullable: true }) maxCapacity: number | null;
  @Column('int', { default: 0 }) usedCapacity: number;
  @Holds('organizer', 'jsonb', { nullable: true }) discount: Discount | null;
  @Column('timestamptz', { nullable: true }) startDateTime: Date | null;
}
