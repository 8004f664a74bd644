import {
  AddOn,
  AddOnVariant,
  BookingForm,
  BookingFormEntry,
  BookingFormField,
  type EntityClass,
  Event,
  EventOccurrence,
  type NewRow,
  Partner,
  PartnerExternalId,
  Race,
  ReferralProgram,
  ReservedEntryGroup,
  ReservedEntryGroupTicket,
  Ticket,
  TicketBookingForm,
  Wave,
} from '#platform/database';

type Column<Entity> = keyof NewRow<Entity> & string;

/** A table that catalogue files fill, and its columns. The entity has their types. */
export interface Table {
  entity: EntityClass<unknown>;
  /** The rest of the key, after `organization_id`. */
  keys: readonly string[];
  /** Never updated: a row can't move to another owner. */
  fixed: readonly string[];
  columns: readonly string[];
}

const table = <Entity>(
  entity: EntityClass<Entity>,
  columns: readonly Column<Entity>[],
  { keys = [], fixed = [] }: { keys?: readonly Column<Entity>[]; fixed?: readonly Column<Entity>[] } = {},
): Table => ({ entity, keys: keys.length ? keys : ['id'], fixed, columns });

export const TABLES = {
  bookingFormFields: table(BookingFormField, ['key', 'label', 'type', 'options', 'required', 'help_text']),
  bookingForms: table(BookingForm, ['title']),
  formFields: table(BookingFormEntry, ['position'], { keys: ['booking_form_id', 'field_id'] }),
  events: table(Event, ['slug', 'title']),
  partners: table(
    Partner,
    [
      'name',
      'description',
      'type',
      'contacts',
      'default_marketing',
      'specific_marketings',
      'can_create_sub_partners',
    ],
    { fixed: ['parent_partner_id'] },
  ),
  partnerExternalIds: table(PartnerExternalId, ['external_id'], { keys: ['partner_id', 'type'] }),
  occurrences: table(
    EventOccurrence,
    [
      'slug',
      'title',
      'title_by_locale',
      'tags',
      'content',
      'start_date',
      'time_zone',
      'latitude',
      'longitude',
      'address',
      'hero_url',
      'logo_url',
      'image_urls',
      'published',
      'called_off',
      'discoverable',
    ],
    { fixed: ['event_id'] },
  ),
  races: table(
    Race,
    [
      'position',
      'title',
      'title_by_locale',
      'discipline',
      'distance_value',
      'distance_unit',
      'start_date',
      'start_time',
      'max_capacity',
      'course_id',
      'course_title',
    ],
    { fixed: ['event_occurrence_id', 'event_id'] },
  ),
  waves: table(Wave, ['position', 'title', 'start_date_time', 'capacity'], { fixed: ['race_id'] }),
  tickets: table(
    Ticket,
    [
      'position',
      'slug',
      'title',
      'title_by_locale',
      'description',
      'price_value',
      'currency_code',
      'sale_start',
      'sale_end',
      'max_capacity',
      'approval',
      'unit_size',
      'asks_donation',
      'deleted_at',
    ],
    { fixed: ['race_id', 'event_occurrence_id', 'event_id'] },
  ),
  ticketForms: table(TicketBookingForm, [], { keys: ['ticket_id', 'booking_form_id'] }),
  addOns: table(AddOn, ['title', 'price_value', 'currency_code'], {
    fixed: ['event_id', 'event_occurrence_id'],
  }),
  addOnVariants: table(AddOnVariant, ['position', 'title'], { fixed: ['add_on_id'] }),
  referralPrograms: table(ReferralProgram, ['title'], { fixed: ['event_id', 'event_occurrence_id'] }),
  reservedEntryGroups: table(
    ReservedEntryGroup,
    [
      'partner_id',
      'name',
      'description',
      'code',
      'url',
      'type',
      'max_capacity',
      'can_partner_cancel',
      'reserve_capacity',
      'reallocate_on_cancel',
      'domain_restriction',
      'deadline',
    ],
    { fixed: ['event_id', 'event_occurrence_id'] },
  ),
  reservedEntryGroupTickets: table(
    ReservedEntryGroupTicket,
    ['position', 'max_capacity', 'discount', 'start_date_time'],
    { keys: ['reserved_entry_group_id', 'ticket_id'] },
  ),
} satisfies Record<string, Table>;

/** In an order in which rows follow the rows that they refer to. */
export type TableName = keyof typeof TABLES;
export type Row = Record<string, unknown>;
