import { type ListDeclaration, type Resource } from '#platform/queries';
import { availability } from '../sql';
import { BookingForm, TicketSummary } from './booking-forms.dto';

export const BOOKING_FORM: Resource = {
  schema: BookingForm,
  from: 'booking_forms t',
  select: `
    t.id AS "id",
    t.title AS "title",
    t.created_at AS "createdAt",
    t.updated_at AS "updatedAt"`,
};

const FORMS = {
  schemaName: 'PagedBookingForms',
  order: { sql: 't.created_at', type: 'timestamptz' },
} satisfies Partial<ListDeclaration>;

export const FORMS_OF_TICKET: ListDeclaration = {
  ...FORMS,
  name: 'formsOfTicket',
  of: {
    ...BOOKING_FORM,
    from: `booking_forms t JOIN ticket_booking_forms u
      ON u.organization_id = t.organization_id AND u.booking_form_id = t.id`,
  },
  within: { column: 'u.ticket_id', parent: 'tickets' },
  size: { default: 'all', max: 500 },
};

export const FORMS_WITH_FIELD: ListDeclaration = {
  ...FORMS,
  name: 'formsWithField',
  of: {
    ...BOOKING_FORM,
    from: `booking_forms t JOIN booking_form_entries e
      ON e.organization_id = t.organization_id AND e.booking_form_id = t.id`,
  },
  within: { column: 'e.field_id', parent: 'booking_form_fields' },
};

export const TICKETS_WITH_FORM: ListDeclaration = {
  name: 'ticketsWithForm',
  schemaName: 'PagedTicketSummaries',
  of: {
    schema: TicketSummary,
    from: `tickets t JOIN ticket_booking_forms u
      ON u.organization_id = t.organization_id AND u.ticket_id = t.id`,
    where: 't.deleted_at IS NULL',
    select: `
      t.id AS "id",
      t.title AS "title",
      ${availability('t')} AS "availability"`,
  },
  within: { column: 'u.booking_form_id', parent: 'booking_forms' },
  order: { sql: 't.position', type: 'integer' },
};
