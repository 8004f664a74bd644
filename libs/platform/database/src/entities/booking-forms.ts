import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type FIELD_TYPES } from '#platform/validation';
import { Ticket } from './events';
import { Holds } from './holds';
import { Organization } from './organizations';
import { References, TimedRow } from './owned-row';

@Entity('booking_forms')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class BookingForm extends TimedRow {
  @Holds('organizer', 'text') title: string;
}

@Entity('booking_form_fields')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@Unique(['organizationId', 'key'])
export class BookingFormField extends TimedRow {
  /** Every organization has `firstName`, `lastName`, `email`, `dateOfBirth` and `gender`. */
  @Holds('organizer', 'text') key: string;
  @Holds('organizer', 'text') label: string;
  @Holds('platform', 'text') type: (typeof FIELD_TYPES)[number];
  @Holds('organizer', 'jsonb', { default: [] }) options: { value: string; label: string }[];
  @Column('boolean', { default: false }) required: boolean;
  @Holds('organizer', 'text', { nullable: true }) helpText: string | null;
}

/** The position of a field in a form. */
@Entity('booking_form_entries')
@References(() => BookingForm, 'bookingFormId')
@References(() => BookingFormField, 'fieldId')
@Index(['organizationId', 'fieldId'])
export class BookingFormEntry {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') bookingFormId: string;
  @PrimaryColumn('uuid') fieldId: string;
  @Column('int') position: number;
}

/** A form that buyers of the ticket fill in. */
@Entity('ticket_booking_forms')
@References(() => Ticket, 'ticketId')
@References(() => BookingForm, 'bookingFormId')
@Index(['organizationId', 'bookingFormId'])
export class TicketBookingForm {
  @PrimaryColumn('uuid') organizationId: string;
  @PrimaryColumn('uuid') ticketId: string;
  @PrimaryColumn('uuid') bookingFormId: string;
}
