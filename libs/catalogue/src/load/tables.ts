type Columns = Readonly<Record<string, string>>;

/** A table that catalogue files fill: its columns and their types. */
export interface Table {
  name: string;
  /** The rest of the key, after `organization_id`. */
  keys: Columns;
  /** Never updated: a row can't move to another owner. */
  fixed?: Columns;
  columns: Columns;
}

const id = { id: 'uuid' };
const title = { title: 'text' };
const price = { price_value: 'bigint', currency_code: 'text' };

export const TABLES = {
  bookingFormFields: {
    name: 'booking_form_fields',
    keys: id,
    columns: {
      key: 'text',
      label: 'text',
      type: 'text',
      options: 'jsonb',
      required: 'boolean',
      help_text: 'text',
    },
  },
  bookingForms: { name: 'booking_forms', keys: id, columns: title },
  formFields: {
    name: 'booking_form_entries',
    keys: { booking_form_id: 'uuid', field_id: 'uuid' },
    columns: { position: 'int' },
  },
  events: { name: 'events', keys: id, columns: { slug: 'text', ...title } },
  partners: {
    name: 'partners',
    keys: id,
    columns: {
      name: 'text',
      description: 'text',
      type: 'text',
      contacts: 'jsonb',
      default_marketing: 'jsonb',
      specific_marketings: 'jsonb',
      can_create_sub_partners: 'boolean',
    },
  },
  partnerExternalIds: {
    name: 'partner_external_ids',
    keys: { partner_id: 'uuid', type: 'text' },
    columns: { external_id: 'text' },
  },
  occurrences: {
    name: 'event_occurrences',
    keys: id,
    fixed: { event_id: 'uuid' },
    columns: {
      slug: 'text',
      ...title,
      title_by_locale: 'jsonb',
      tags: 'text[]',
      content: 'jsonb',
      start_date: 'date',
      time_zone: 'text',
      latitude: 'double precision',
      longitude: 'double precision',
      address: 'jsonb',
      hero_url: 'text',
      logo_url: 'text',
      image_urls: 'text[]',
      published: 'boolean',
      called_off: 'text',
      discoverable: 'boolean',
    },
  },
  races: {
    name: 'races',
    keys: id,
    fixed: { event_occurrence_id: 'uuid', event_id: 'uuid' },
    columns: {
      position: 'int',
      ...title,
      title_by_locale: 'jsonb',
      discipline: 'text',
      distance_value: 'numeric',
      distance_unit: 'text',
      start_date: 'date',
      start_time: 'time',
      max_capacity: 'int',
      course_id: 'uuid',
      course_title: 'text',
    },
  },
  waves: {
    name: 'waves',
    keys: id,
    fixed: { race_id: 'uuid' },
    columns: { position: 'int', ...title, start_date_time: 'timestamptz', capacity: 'int' },
  },
  tickets: {
    name: 'tickets',
    keys: id,
    fixed: { race_id: 'uuid', event_occurrence_id: 'uuid', event_id: 'uuid' },
    columns: {
      position: 'int',
      slug: 'text',
      ...title,
      title_by_locale: 'jsonb',
      description: 'text',
      ...price,
      sale_start: 'timestamptz',
      sale_end: 'timestamptz',
      max_capacity: 'int',
      approval: 'text',
      unit_size: 'int',
      asks_donation: 'boolean',
      deleted_at: 'timestamptz',
    },
  },
  ticketForms: {
    name: 'ticket_booking_forms',
    keys: { ticket_id: 'uuid', booking_form_id: 'uuid' },
    columns: {},
  },
  addOns: {
    name: 'add_ons',
    keys: id,
    fixed: { event_id: 'uuid', event_occurrence_id: 'uuid' },
    columns: { ...title, ...price },
  },
  addOnVariants: {
    name: 'add_on_variants',
    keys: id,
    fixed: { add_on_id: 'uuid' },
    columns: { position: 'int', ...title },
  },
  referralPrograms: {
    name: 'referral_programs',
    keys: id,
    fixed: { event_id: 'uuid', event_occurrence_id: 'uuid' },
    columns: title,
  },
  reservedEntryGroups: {
    name: 'reserved_entry_groups',
    keys: id,
    fixed: { event_id: 'uuid', event_occurrence_id: 'uuid' },
    columns: {
      partner_id: 'uuid',
      name: 'text',
      description: 'text',
      code: 'text',
      url: 'text',
      type: 'text',
      max_capacity: 'int',
      can_partner_cancel: 'boolean',
      reserve_capacity: 'text',
      reallocate_on_cancel: 'boolean',
      domain_restriction: 'text',
    },
  },
  reservedEntryGroupTickets: {
    name: 'reserved_entry_group_tickets',
    keys: { reserved_entry_group_id: 'uuid', ticket_id: 'uuid' },
    columns: { position: 'int', max_capacity: 'int', discount: 'jsonb', start_date_time: 'timestamptz' },
  },
} as const satisfies Record<string, Table>;

/** In an order in which rows follow the rows that they refer to. */
export type TableName = keyof typeof TABLES;
export type Row = Record<string, unknown>;
