import type { ListDeclaration, Resource } from '#platform/queries';
import { BookingFormField } from './booking-form-fields.dto';

export const BOOKING_FORM_FIELD: Resource = {
  schema: BookingFormField,
  from: 'booking_form_fields t',
  select: `
    t.id AS "id",
    t.key AS "key",
    t.label AS "label",
    t.type AS "type",
    t.options AS "options",
    t.required AS "required",
    t.help_text AS "helpText"`,
};

const FIELDS = {
  schemaName: 'PagedBookingFormFields',
  size: { default: 'all', max: 500 },
} satisfies Partial<ListDeclaration>;

export const BOOKING_FORM_FIELDS: ListDeclaration = {
  ...FIELDS,
  name: 'bookingFormFields',
  of: BOOKING_FORM_FIELD,
  order: { sql: 't.created_at', type: 'timestamptz' },
};

/** In the order in which the form asks them. */
export const FIELDS_OF_FORM: ListDeclaration = {
  ...FIELDS,
  name: 'fieldsOfForm',
  of: {
    ...BOOKING_FORM_FIELD,
    from: `booking_form_fields t JOIN booking_form_entries e
      ON e.organization_id = t.organization_id AND e.field_id = t.id`,
  },
  within: { column: 'e.booking_form_id', parent: 'booking_forms' },
  order: { sql: 'e.position', type: 'integer' },
};
