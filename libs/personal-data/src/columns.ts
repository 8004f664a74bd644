/**
 * The classification of every column that can contain text.
 *
 * - `personal`: data of participants, bookers, contacts or owners of credits. The erasure of a person clears it.
 * - `foreign`: ids and texts of other systems. They stay, so that a repeated import changes nothing, but email addresses
 *   in them are replaced.
 * - `staff`: data of staff members. The erasure of a participant does not change it.
 * - `organizer`: data of an organization about its events, offers and partners.
 * - `platform`: codes, hashes and ids that the platform generates.
 */
export const COLUMN_KINDS = ['personal', 'foreign', 'staff', 'organizer', 'platform'] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

type Columns = Partial<Record<ColumnKind, readonly string[]>>;

/**
 * All tables and their text columns. A test compares it with the catalog of the database, and fails for a missing column
 * and for a personal column that `person erase` does not clear.
 */
export const COLUMNS: Readonly<Record<string, Columns>> = {
  add_on_allocations: {
    foreign: ['external_allocation_id'],
    platform: ['currency_code', 'operational_status', 'financial_status'],
  },
  add_on_variants: { organizer: ['title'] },
  add_ons: { organizer: ['title'], platform: ['currency_code'] },
  api_keys: { organizer: ['name'], platform: ['kind', 'last4', 'endpoints'] },
  audit_log: {
    staff: ['actor_id', 'origin'],
    platform: ['actor_type', 'action', 'object_type', 'object_id', 'details'],
  },
  ballot_draw_entries: { platform: ['lot', 'outcome'] },
  ballot_draws: { organizer: ['seed'], staff: ['actor_id'], platform: ['actor_type'] },
  booking_form_fields: { organizer: ['key', 'label', 'options', 'help_text'], platform: ['type'] },
  booking_forms: { organizer: ['title'] },
  bookings: {
    personal: ['booker_first_name', 'booker_last_name', 'booker_email', 'booker_phone', 'tracking'],
    foreign: ['external_booking_id', 'referral_codes'],
    platform: ['source', 'status', 'booker_type', 'currency_code'],
  },
  change_events: { platform: ['type', 'data'] },
  credits: {
    personal: ['email', 'email_normalized', 'reason'],
    foreign: ['external_credit_id'],
    platform: ['kind', 'currency_code'],
  },
  discount_codes: { organizer: ['code', 'discount', 'group_name'], platform: ['applies_per'] },
  event_occurrences: {
    organizer: [
      ...['slug', 'title', 'title_by_locale', 'tags', 'content', 'start_date', 'time_zone', 'address'],
      ...['hero_url', 'logo_url', 'image_urls', 'search_words'],
    ],
  },
  events: { organizer: ['slug', 'title'] },
  idempotency_keys: { foreign: ['key'], platform: ['operation', 'body_hash'] },
  import_jobs: { organizer: ['source'], platform: ['surface', 'mode', 'status', 'failure', 'request_id'] },
  import_rows: {
    personal: ['payload'],
    foreign: ['external_id', 'result', 'error_message'],
    platform: ['outcome', 'error_code'],
  },
  line_items: {
    personal: ['name'],
    foreign: ['item_id', 'item_selection_id', 'external_line_item_id'],
    platform: ['item_type', 'currency_code'],
  },
  organization_surfaces: { platform: ['surface'] },
  organizations: { organizer: ['slug', 'name', 'website', 'logo_url'] },
  partner_external_ids: { foreign: ['external_id'], platform: ['type'] },
  partners: {
    personal: ['contacts'],
    organizer: ['name', 'description', 'type', 'default_marketing', 'specific_marketings'],
  },
  bib_claims: { organizer: ['bib_number'] },
  race_day_fields: { personal: ['value'], organizer: ['field_id'] },
  race_day_tasks: { organizer: ['bib_number'] },
  race_day_log: {
    personal: ['tracking_number', 'tracking_url', 'custom_fields'],
    foreign: ['shipping_carrier'],
    organizer: ['bib_number'],
    platform: ['source', 'shipping_status', 'waiting_for'],
  },
  races: {
    organizer: ['title', 'title_by_locale', 'distance_unit', 'start_date', 'course_title'],
    platform: ['discipline'],
  },
  rate_windows: { platform: ['endpoint'] },
  referral_programs: { organizer: ['title'] },
  referrals: { platform: ['status'] },
  referrers: { foreign: ['generated_referral_code', 'invite_url'] },
  reserved_entry_group_tickets: { organizer: ['discount'] },
  reserved_entry_groups: {
    organizer: ['name', 'description', 'code', 'url', 'domain_restriction'],
    platform: ['type', 'reserve_capacity'],
  },
  schema_migrations: { platform: ['name'] },
  search_vocabulary: { organizer: ['word'] },
  staff_links: { platform: ['token_hash'] },
  staff_members: { staff: ['email', 'email_normalized', 'password_hash'], platform: ['role'] },
  staff_sessions: { platform: ['secret_hash'] },
  request_log: { platform: ['operation', 'method', 'route', 'request_id'] },
  start_list_entries: {
    personal: [
      ...[
        'team_roles',
        'application_notes',
        'participant_notes',
        'status_details',
        'fields',
        'email_normalized',
      ],
      ...['tags', 'partner_marketing_opt_ins', 'result_url', 'tracking_number', 'tracking_url'],
      ...['race_day_fields', 'external_participant_id', 'metadata'],
    ],
    foreign: ['external_assignment_id', 'shipping_carrier'],
    organizer: ['ballot_draw', 'bib_number', 'bib_claim'],
    platform: [
      ...['approval_status', 'application_resolution_type', 'original_price_currency', 'shipping_status'],
    ],
  },
  tallies: { platform: ['kind'] },
  teams: { personal: ['name'] },
  tickets: {
    organizer: ['slug', 'title', 'title_by_locale', 'description'],
    platform: ['currency_code', 'approval'],
  },
  waves: { organizer: ['title'] },
  webhook_attempts: { foreign: ['response'], platform: ['error'] },
  webhook_deliveries: { platform: ['type', 'state'] },
  webhook_endpoints: {
    organizer: ['url', 'description'],
    platform: ['types', 'secret', 'previous_secret', 'disabled_reason'],
  },
  workers: { platform: ['host', 'version', 'queues'] },
};
