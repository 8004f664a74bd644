import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type FIELD_TYPES } from '#platform/validation';
import { Ticket } from './events';
import { Holds } from './holds';
import { Organization } from './organizations';
import { TimedRow } from './owned-row';

@Entity('booking_forms')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
export class BookingForm extends TimedRow {
  @Column('text')
  @Holds('organizer')
  title: string;
}

@Entity('booking_form_fields')
@ForeignKey(() => Organization, ['organizationId'], ['id'])
@Unique(['organizationId', 'key'])
export class BookingFormField extends TimedRow {
  /** Every organization has `firstName`, `lastName`, `email`, `dateOfBirth` and `gender`. */
  @Column('text')
  @Holds('organizer')
  key: string;

  @Column('text')
  @Holds('organizer')
  label: string;

  @Column('text')
  @Holds('platform')
  type: (typeof FIELD_TYPES)[number];

  @Column('jsonb', { default: [] })
  @Holds('organizer')
  options: { value: string; label: string }[];

  @Column('boolean', { default: false })
  required: boolean;

  @Column('text', { nullable: true })
  @Holds('organizer')
  helpText: string | null;
}

/** The position of a field in a form. */
@Entity('booking_form_entries')
@ForeignKey(() => BookingForm, ['organizationId', 'bookingFormId'], ['organizationId', 'id'])
@ForeignKey(() => BookingFormField, ['organizationId', 'fieldId'], ['organizationId', 'id'])
@Index(['organizationId', 'fieldId'])
export class BookingFormEntry {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('uuid')
  bookingFormId: string;

  @PrimaryColumn('uuid')
  fieldId: string;

  @Column('int')
  position: number;
}

/** A form that buyers of the ticket fill in. */
@Entity('ticket_booking_forms')
@ForeignKey(() => Ticket, ['organizationId', 'ticketId'], ['organizationId', 'id'])
@ForeignKey(() => BookingForm, ['organizationId', 'bookingFormId'], ['organizationId', 'id'])
@Index(['organizationId', 'bookingFormId'])
export class TicketBookingForm {
  @PrimaryColumn('uuid')
  organizationId: string;

  @PrimaryColumn('uuid')
  ticketId: string;

  @PrimaryColumn('uuid')
  bookingFormId: string;
}
