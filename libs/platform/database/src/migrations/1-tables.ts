import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every table, key and index, as the entities declare them. */
export class Tables1795000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(SQL);
  }

  async down(): Promise<void> {
    throw new Error('The first migration has nothing to go back to: drop the database instead.');
  }
}

const SQL = /* sql */ `
CREATE TABLE organizations (
  id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  website text,
  logo_url text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  deleted_at timestamptz,
  CONSTRAINT organizations_slug_key UNIQUE (slug),
  CONSTRAINT organizations_pkey PRIMARY KEY (id)
);

CREATE TABLE organization_surfaces (
  organization_id uuid NOT NULL,
  surface text NOT NULL,
  CONSTRAINT organization_surfaces_pkey PRIMARY KEY (organization_id, surface)
);

CREATE TABLE api_keys (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  last4 text NOT NULL,
  event_occurrence_ids uuid[],
  endpoints text[],
  created_at timestamptz NOT NULL DEFAULT date_trunc('second', clock_timestamp()),
  revoked_at timestamptz,
  last_used_at timestamptz,
  CONSTRAINT api_keys_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX api_keys_name_idx ON api_keys (organization_id, name);

CREATE TABLE partners (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  name text NOT NULL,
  description text,
  type text,
  contacts jsonb NOT NULL DEFAULT '[]',
  default_marketing jsonb,
  specific_marketings jsonb NOT NULL DEFAULT '[]',
  can_create_sub_partners boolean NOT NULL DEFAULT false,
  CONSTRAINT partners_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX partners_updated_at_id_idx ON partners (organization_id, updated_at, id);
CREATE INDEX partners_created_at_id_idx ON partners (organization_id, created_at, id);

CREATE TABLE partner_external_ids (
  organization_id uuid NOT NULL,
  partner_id uuid NOT NULL,
  type text NOT NULL,
  external_id text NOT NULL,
  CONSTRAINT partner_external_ids_type_external_id_key UNIQUE (organization_id, type, external_id),
  CONSTRAINT partner_external_ids_pkey PRIMARY KEY (organization_id, partner_id, type)
);

CREATE TABLE discount_codes (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  code text NOT NULL,
  discount jsonb NOT NULL,
  applies_per text NOT NULL DEFAULT 'TRANSACTION',
  limit_usage integer,
  limit_usage_per_transaction integer,
  usage_count integer NOT NULL DEFAULT 0,
  group_name text,
  event_occurrence_ids uuid[],
  ticket_ids uuid[],
  partner_id uuid,
  start_date_time timestamptz,
  end_date_time timestamptz,
  deleted_at timestamptz,
  CONSTRAINT discount_codes_pkey PRIMARY KEY (organization_id, id)
);

CREATE TABLE credits (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  kind text NOT NULL DEFAULT 'CREDIT',
  external_credit_id text,
  email text NOT NULL,
  email_normalized text NOT NULL,
  amount_value bigint NOT NULL,
  currency_code text NOT NULL,
  reason text,
  expires_at timestamptz,
  event_id uuid,
  CONSTRAINT credits_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX credits_email_normalized_idx ON credits (organization_id, email_normalized);
CREATE UNIQUE INDEX credits_external_id_idx ON credits (organization_id, external_credit_id);

CREATE TABLE events (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  slug text NOT NULL,
  title text NOT NULL,
  CONSTRAINT events_slug_key UNIQUE (organization_id, slug),
  CONSTRAINT events_pkey PRIMARY KEY (organization_id, id)
);

CREATE TABLE event_occurrences (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  event_id uuid NOT NULL,
  slug text NOT NULL,
  title text NOT NULL,
  title_by_locale jsonb NOT NULL DEFAULT '{}',
  tags text[] NOT NULL DEFAULT '{}',
  content jsonb NOT NULL DEFAULT '{}',
  start_date date,
  time_zone text NOT NULL,
  latitude double precision,
  longitude double precision,
  address jsonb NOT NULL DEFAULT '{}',
  hero_url text,
  logo_url text,
  image_urls text[] NOT NULL DEFAULT '{}',
  published boolean NOT NULL DEFAULT true,
  discoverable boolean NOT NULL DEFAULT true,
  search_words tsvector NOT NULL DEFAULT '',
  CONSTRAINT event_occurrences_slug_key UNIQUE (organization_id, slug),
  CONSTRAINT event_occurrences_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX event_occurrences_updated_at_id_idx ON event_occurrences (organization_id, updated_at, id);
CREATE INDEX event_occurrences_event_id_start_date_idx ON event_occurrences (organization_id, event_id, start_date);
CREATE INDEX event_occurrences_start_date_id_idx ON event_occurrences (organization_id, start_date, id);

CREATE TABLE races (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  event_occurrence_id uuid NOT NULL,
  event_id uuid NOT NULL,
  position integer NOT NULL DEFAULT 0,
  title text NOT NULL,
  title_by_locale jsonb NOT NULL DEFAULT '{}',
  discipline text,
  distance_value numeric,
  distance_unit text,
  start_date date,
  start_time TIME,
  max_capacity integer,
  course_id uuid,
  course_title text,
  CONSTRAINT races_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX races_event_occurrence_id_position_id_idx ON races (organization_id, event_occurrence_id, position, id);

CREATE TABLE waves (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  race_id uuid NOT NULL,
  position integer NOT NULL DEFAULT 0,
  title text NOT NULL,
  start_date_time timestamptz,
  capacity integer,
  CONSTRAINT waves_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX waves_race_id_position_idx ON waves (organization_id, race_id, position);

CREATE TABLE tickets (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  race_id uuid NOT NULL,
  event_occurrence_id uuid NOT NULL,
  event_id uuid NOT NULL,
  position integer NOT NULL DEFAULT 0,
  slug text NOT NULL,
  title text NOT NULL,
  title_by_locale jsonb NOT NULL DEFAULT '{}',
  description text NOT NULL DEFAULT '',
  price_value bigint NOT NULL,
  currency_code text NOT NULL,
  sale_start timestamptz,
  sale_end timestamptz,
  max_capacity integer,
  approval text NOT NULL DEFAULT 'INSTANT',
  unit_size integer NOT NULL DEFAULT 1,
  asks_donation boolean NOT NULL DEFAULT false,
  deleted_at timestamptz,
  CONSTRAINT tickets_event_occurrence_id_slug_key UNIQUE (organization_id, event_occurrence_id, slug),
  CONSTRAINT tickets_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX tickets_race_id_position_id_idx ON tickets (organization_id, race_id, position, id);
CREATE INDEX tickets_event_occurrence_id_position_id_idx ON tickets (organization_id, event_occurrence_id, position, id);

CREATE TABLE bookings (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  external_booking_id text,
  source text NOT NULL,
  status text NOT NULL DEFAULT 'CONFIRMED',
  event_id uuid NOT NULL,
  event_occurrence_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  booker_first_name text,
  booker_last_name text,
  booker_email text,
  booker_phone text,
  booker_type text NOT NULL DEFAULT 'CONSUMER',
  partner_id uuid,
  currency_code text NOT NULL,
  total_value bigint NOT NULL,
  discount_code_id uuid,
  discount_uses integer NOT NULL DEFAULT 0,
  referral_codes text[] NOT NULL DEFAULT '{}',
  tracking jsonb NOT NULL DEFAULT '{}',
  booked_at timestamptz,
  cancelled_at timestamptz,
  CONSTRAINT bookings_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX bookings_external_id_idx ON bookings (organization_id, external_booking_id, created_at, id);
CREATE UNIQUE INDEX bookings_live_external_id_idx ON bookings (organization_id, external_booking_id) WHERE status = 'CONFIRMED';

CREATE TABLE line_items (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  booking_id uuid NOT NULL,
  participant_id uuid,
  item_type text NOT NULL,
  name text NOT NULL,
  item_id text,
  item_selection_id text,
  amount_value bigint NOT NULL,
  currency_code text NOT NULL,
  external_line_item_id text,
  released_at timestamptz,
  CONSTRAINT line_items_pkey PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX line_items_external_id_idx ON line_items (organization_id, external_line_item_id) WHERE released_at IS NULL;
CREATE INDEX line_items_booking_id_created_at_id_idx ON line_items (organization_id, booking_id, created_at, id);

CREATE TABLE add_ons (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  event_id uuid NOT NULL,
  event_occurrence_id uuid,
  title text NOT NULL,
  price_value bigint NOT NULL,
  currency_code text NOT NULL,
  CONSTRAINT add_ons_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX add_ons_event_id_idx ON add_ons (organization_id, event_id);

CREATE TABLE add_on_variants (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  add_on_id uuid NOT NULL,
  position integer NOT NULL DEFAULT 0,
  title text NOT NULL,
  CONSTRAINT add_on_variants_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX add_on_variants_add_on_id_position_idx ON add_on_variants (organization_id, add_on_id, position);

CREATE TABLE add_on_allocations (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  booking_id uuid NOT NULL,
  participant_id uuid NOT NULL,
  purchase_line_item_id uuid,
  add_on_id uuid NOT NULL,
  variant_id uuid,
  quantity integer NOT NULL,
  unit_price_value bigint NOT NULL,
  currency_code text NOT NULL,
  operational_status text NOT NULL DEFAULT 'ALLOCATED',
  financial_status text NOT NULL DEFAULT 'PAID',
  external_allocation_id text,
  released_at timestamptz,
  CONSTRAINT add_on_allocations_pkey PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX add_on_allocations_external_id_idx ON add_on_allocations (organization_id, external_allocation_id) WHERE released_at IS NULL;
CREATE INDEX add_on_allocations_booking_id_created_at_id_idx ON add_on_allocations (organization_id, booking_id, created_at, id);

CREATE TABLE booking_forms (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  title text NOT NULL,
  CONSTRAINT booking_forms_pkey PRIMARY KEY (organization_id, id)
);

CREATE TABLE booking_form_fields (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  key text NOT NULL,
  label text NOT NULL,
  type text NOT NULL,
  options jsonb NOT NULL DEFAULT '[]',
  required boolean NOT NULL DEFAULT false,
  help_text text,
  CONSTRAINT booking_form_fields_key_key UNIQUE (organization_id, key),
  CONSTRAINT booking_form_fields_pkey PRIMARY KEY (organization_id, id)
);

CREATE TABLE booking_form_entries (
  organization_id uuid NOT NULL,
  booking_form_id uuid NOT NULL,
  field_id uuid NOT NULL,
  position integer NOT NULL,
  CONSTRAINT booking_form_entries_pkey PRIMARY KEY (organization_id, booking_form_id, field_id)
);
CREATE INDEX booking_form_entries_field_id_idx ON booking_form_entries (organization_id, field_id);

CREATE TABLE ticket_booking_forms (
  organization_id uuid NOT NULL,
  ticket_id uuid NOT NULL,
  booking_form_id uuid NOT NULL,
  CONSTRAINT ticket_booking_forms_pkey PRIMARY KEY (organization_id, ticket_id, booking_form_id)
);
CREATE INDEX ticket_booking_forms_booking_form_id_idx ON ticket_booking_forms (organization_id, booking_form_id);

CREATE TABLE tallies (
  organization_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  delta bigint NOT NULL,
  CONSTRAINT tallies_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX tallies_kind_subject_id_idx ON tallies (organization_id, kind, subject_id);

CREATE TABLE rate_windows (
  api_key_id uuid NOT NULL,
  endpoint text NOT NULL,
  window_start timestamptz NOT NULL,
  used integer NOT NULL,
  CONSTRAINT rate_windows_pkey PRIMARY KEY (api_key_id, endpoint, window_start)
);

CREATE TABLE import_jobs (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  surface text NOT NULL,
  mode text NOT NULL,
  status text NOT NULL DEFAULT 'QUEUED',
  total_rows integer NOT NULL,
  succeeded_rows integer NOT NULL DEFAULT 0,
  already_imported_rows integer NOT NULL DEFAULT 0,
  failed_rows integer NOT NULL DEFAULT 0,
  failure text,
  started_at timestamptz,
  finished_at timestamptz,
  CONSTRAINT import_jobs_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX import_jobs_open_idx ON import_jobs (created_at) WHERE status IN ('QUEUED', 'RUNNING');
CREATE INDEX import_jobs_created_at_id_idx ON import_jobs (organization_id, created_at, id);

CREATE TABLE import_rows (
  organization_id uuid NOT NULL,
  job_id uuid NOT NULL,
  row_number integer NOT NULL,
  external_id text,
  payload jsonb NOT NULL,
  outcome text,
  result jsonb,
  error_code text,
  error_message text,
  CONSTRAINT import_rows_pkey PRIMARY KEY (organization_id, job_id, row_number)
);
CREATE INDEX import_rows_outcome_idx ON import_rows (organization_id, job_id, outcome, row_number);
CREATE INDEX import_rows_open_idx ON import_rows (organization_id, job_id, row_number) WHERE outcome IS NULL;

CREATE TABLE idempotency_keys (
  organization_id uuid NOT NULL,
  operation text NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  job_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organization_id, operation, key)
);
CREATE INDEX idempotency_keys_created_idx ON idempotency_keys (created_at);

CREATE TABLE race_day_log (
  organization_id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  source text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at timestamptz NOT NULL,
  participant_id uuid,
  named_by_bib boolean NOT NULL DEFAULT false,
  event_occurrence_ids uuid[],
  sets_bib boolean NOT NULL DEFAULT false,
  bib_number text,
  shipping_status text,
  shipped_at timestamptz,
  shipping_carrier text,
  tracking_number text,
  tracking_url text,
  custom_fields jsonb,
  api_key_id uuid,
  applied_at timestamptz,
  waiting_for text,
  CONSTRAINT race_day_log_pkey PRIMARY KEY (organization_id, seq)
);
CREATE INDEX race_day_log_waiting_idx ON race_day_log (organization_id, waiting_for) WHERE waiting_for IS NOT NULL;
CREATE INDEX race_day_log_pending_idx ON race_day_log (organization_id, seq) WHERE applied_at IS NULL;
CREATE INDEX race_day_log_named_by_bib_idx ON race_day_log (organization_id, bib_number, changed_at) WHERE named_by_bib;
CREATE INDEX race_day_log_claims_idx ON race_day_log (organization_id, bib_number, participant_id) WHERE sets_bib;
CREATE INDEX race_day_log_participant_idx ON race_day_log (organization_id, participant_id, changed_at, seq);

CREATE TABLE reserved_entry_groups (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  event_id uuid NOT NULL,
  event_occurrence_id uuid NOT NULL,
  partner_id uuid,
  name text NOT NULL,
  description text,
  code text NOT NULL,
  url text,
  type text NOT NULL DEFAULT 'MULTI_USE',
  max_capacity integer NOT NULL,
  used_capacity integer NOT NULL DEFAULT 0,
  can_partner_cancel boolean NOT NULL DEFAULT false,
  reserve_capacity text NOT NULL DEFAULT 'RESERVE_CAPACITY',
  reallocate_on_cancel boolean NOT NULL DEFAULT false,
  domain_restriction text,
  CONSTRAINT reserved_entry_groups_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX reserved_entry_groups_event_occurrence_id_created_at_id_idx ON reserved_entry_groups (organization_id, event_occurrence_id, created_at, id);
CREATE INDEX reserved_entry_groups_event_id_created_at_id_idx ON reserved_entry_groups (organization_id, event_id, created_at, id);

CREATE TABLE reserved_entry_group_tickets (
  organization_id uuid NOT NULL,
  reserved_entry_group_id uuid NOT NULL,
  ticket_id uuid NOT NULL,
  position integer NOT NULL DEFAULT 0,
  max_capacity integer,
  used_capacity integer NOT NULL DEFAULT 0,
  discount jsonb,
  start_date_time timestamptz,
  CONSTRAINT reserved_entry_group_tickets_pkey PRIMARY KEY (organization_id, reserved_entry_group_id, ticket_id)
);

CREATE TABLE teams (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  event_occurrence_id uuid NOT NULL,
  name text NOT NULL,
  CONSTRAINT teams_event_occurrence_id_name_key UNIQUE (organization_id, event_occurrence_id, name),
  CONSTRAINT teams_pkey PRIMARY KEY (organization_id, id)
);

CREATE TABLE start_list_entries (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  participant_id uuid NOT NULL,
  participant_index integer NOT NULL,
  booking_id uuid NOT NULL,
  event_id uuid NOT NULL,
  event_occurrence_id uuid NOT NULL,
  race_id uuid NOT NULL,
  ticket_id uuid NOT NULL,
  wave_id uuid,
  team_id uuid,
  team_roles text[] NOT NULL DEFAULT '{}',
  approval_status text NOT NULL,
  application_resolution_type text NOT NULL,
  ballot_draw text,
  application_notes text,
  participant_notes text[] NOT NULL DEFAULT '{}',
  status_details jsonb NOT NULL DEFAULT '[]',
  fields json NOT NULL DEFAULT '[]',
  email_normalized text,
  tags text[] NOT NULL DEFAULT '{}',
  original_price_value bigint NOT NULL,
  original_price_currency text NOT NULL,
  incremental boolean NOT NULL DEFAULT false,
  partner_id uuid,
  reserved_entry_group_id uuid,
  holds_reserved_place boolean NOT NULL DEFAULT false,
  takes_place boolean NOT NULL DEFAULT true,
  partner_marketing_opt_ins jsonb NOT NULL DEFAULT '[]',
  has_donated boolean,
  result_url text,
  result_submitted_at timestamptz,
  bib_number text,
  bib_claim text,
  bib_changed_at timestamptz,
  shipping_status text,
  shipped_at timestamptz,
  shipping_carrier text,
  tracking_number text,
  tracking_url text,
  shipping_changed_at timestamptz,
  race_day_fields jsonb NOT NULL DEFAULT '[]',
  external_participant_id text,
  external_assignment_id text,
  metadata jsonb NOT NULL DEFAULT '{}',
  gdpr_redacted boolean NOT NULL DEFAULT false,
  cancelled_at timestamptz,
  CONSTRAINT start_list_entries_bib_number_key UNIQUE (organization_id, race_id, bib_number) DEFERRABLE INITIALLY IMMEDIATE,
  CONSTRAINT start_list_entries_participant_id_key UNIQUE (organization_id, participant_id),
  CONSTRAINT start_list_entries_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX start_list_entries_group_idx ON start_list_entries (organization_id, reserved_entry_group_id) WHERE reserved_entry_group_id IS NOT NULL;
CREATE UNIQUE INDEX start_list_entries_assignment_idx ON start_list_entries (organization_id, external_assignment_id) WHERE cancelled_at IS NULL AND external_assignment_id IS NOT NULL;
CREATE INDEX start_list_entries_claim_idx ON start_list_entries (organization_id, race_id, bib_claim) WHERE bib_claim IS NOT NULL;
CREATE INDEX start_list_entries_registered_idx ON start_list_entries (organization_id, event_occurrence_id, email_normalized);
CREATE INDEX start_list_entries_booking_idx ON start_list_entries (organization_id, booking_id, participant_index);
CREATE INDEX participants_race_updated_idx ON start_list_entries (organization_id, race_id, updated_at, participant_id) WHERE approval_status = 'APPROVED';
CREATE INDEX participants_race_created_idx ON start_list_entries (organization_id, race_id, created_at, participant_id) WHERE approval_status = 'APPROVED';
CREATE INDEX participants_updated_idx ON start_list_entries (organization_id, updated_at, participant_id) WHERE approval_status = 'APPROVED';
CREATE INDEX participants_created_idx ON start_list_entries (organization_id, created_at, participant_id) WHERE approval_status = 'APPROVED';
CREATE INDEX start_list_entries_event_updated_idx ON start_list_entries (organization_id, event_id, updated_at, id);
CREATE INDEX start_list_entries_event_created_idx ON start_list_entries (organization_id, event_id, created_at, id);
CREATE INDEX start_list_entries_updated_idx ON start_list_entries (organization_id, updated_at, id);
CREATE INDEX start_list_entries_created_idx ON start_list_entries (organization_id, created_at, id);

CREATE TABLE referral_programs (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  event_id uuid NOT NULL,
  event_occurrence_id uuid NOT NULL,
  title text NOT NULL,
  CONSTRAINT referral_programs_pkey PRIMARY KEY (organization_id, id)
);

CREATE TABLE referrers (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  referral_program_id uuid NOT NULL,
  generated_referral_code text NOT NULL,
  invite_url text NOT NULL,
  CONSTRAINT referrers_referral_program_id_generated_referral_code_key UNIQUE (organization_id, referral_program_id, generated_referral_code),
  CONSTRAINT referrers_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX referrers_referral_program_id_created_at_id_idx ON referrers (organization_id, referral_program_id, created_at, id);

CREATE TABLE referrer_owner_bookings (
  organization_id uuid NOT NULL,
  referrer_id uuid NOT NULL,
  booking_id uuid NOT NULL,
  CONSTRAINT referrer_owner_bookings_pkey PRIMARY KEY (organization_id, referrer_id, booking_id)
);
CREATE INDEX referrer_owner_bookings_booking_id_idx ON referrer_owner_bookings (organization_id, booking_id);

CREATE TABLE referrals (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  referrer_id uuid NOT NULL,
  referred_booking_id uuid NOT NULL,
  start_list_entry_id uuid NOT NULL,
  event_id uuid NOT NULL,
  event_occurrence_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'ELIGIBLE',
  CONSTRAINT referrals_referrer_id_referred_booking_id_key UNIQUE (organization_id, referrer_id, referred_booking_id),
  CONSTRAINT referrals_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX referrals_referred_booking_id_idx ON referrals (organization_id, referred_booking_id);
CREATE INDEX referrals_referrer_id_created_at_id_idx ON referrals (organization_id, referrer_id, created_at, id);
ALTER TABLE organization_surfaces ADD CONSTRAINT organization_surfaces_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE api_keys ADD CONSTRAINT api_keys_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE partners ADD CONSTRAINT partners_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE partner_external_ids ADD CONSTRAINT partner_external_ids_partner_id_fkey
  FOREIGN KEY (organization_id, partner_id) REFERENCES partners(organization_id,id);
ALTER TABLE discount_codes ADD CONSTRAINT discount_codes_partner_id_fkey
  FOREIGN KEY (organization_id, partner_id) REFERENCES partners(organization_id,id);
ALTER TABLE discount_codes ADD CONSTRAINT discount_codes_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE credits ADD CONSTRAINT credits_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE events ADD CONSTRAINT events_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE event_occurrences ADD CONSTRAINT event_occurrences_event_id_fkey
  FOREIGN KEY (organization_id, event_id) REFERENCES events(organization_id,id);
ALTER TABLE races ADD CONSTRAINT races_event_id_fkey
  FOREIGN KEY (organization_id, event_id) REFERENCES events(organization_id,id);
ALTER TABLE races ADD CONSTRAINT races_event_occurrence_id_fkey
  FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences(organization_id,id);
ALTER TABLE waves ADD CONSTRAINT waves_race_id_fkey
  FOREIGN KEY (organization_id, race_id) REFERENCES races(organization_id,id);
ALTER TABLE tickets ADD CONSTRAINT tickets_event_id_fkey
  FOREIGN KEY (organization_id, event_id) REFERENCES events(organization_id,id);
ALTER TABLE tickets ADD CONSTRAINT tickets_event_occurrence_id_fkey
  FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences(organization_id,id);
ALTER TABLE tickets ADD CONSTRAINT tickets_race_id_fkey
  FOREIGN KEY (organization_id, race_id) REFERENCES races(organization_id,id);
ALTER TABLE bookings ADD CONSTRAINT bookings_discount_code_id_fkey
  FOREIGN KEY (organization_id, discount_code_id) REFERENCES discount_codes(organization_id,id);
ALTER TABLE bookings ADD CONSTRAINT bookings_partner_id_fkey
  FOREIGN KEY (organization_id, partner_id) REFERENCES partners(organization_id,id);
ALTER TABLE bookings ADD CONSTRAINT bookings_event_occurrence_id_fkey
  FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences(organization_id,id);
ALTER TABLE bookings ADD CONSTRAINT bookings_event_id_fkey
  FOREIGN KEY (organization_id, event_id) REFERENCES events(organization_id,id);
ALTER TABLE line_items ADD CONSTRAINT line_items_booking_id_fkey
  FOREIGN KEY (organization_id, booking_id) REFERENCES bookings(organization_id,id);
ALTER TABLE add_ons ADD CONSTRAINT add_ons_event_occurrence_id_fkey
  FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences(organization_id,id);
ALTER TABLE add_ons ADD CONSTRAINT add_ons_event_id_fkey
  FOREIGN KEY (organization_id, event_id) REFERENCES events(organization_id,id);
ALTER TABLE add_on_variants ADD CONSTRAINT add_on_variants_add_on_id_fkey
  FOREIGN KEY (organization_id, add_on_id) REFERENCES add_ons(organization_id,id);
ALTER TABLE add_on_allocations ADD CONSTRAINT add_on_allocations_variant_id_fkey
  FOREIGN KEY (organization_id, variant_id) REFERENCES add_on_variants(organization_id,id);
ALTER TABLE add_on_allocations ADD CONSTRAINT add_on_allocations_add_on_id_fkey
  FOREIGN KEY (organization_id, add_on_id) REFERENCES add_ons(organization_id,id);
ALTER TABLE add_on_allocations ADD CONSTRAINT add_on_allocations_purchase_line_item_id_fkey
  FOREIGN KEY (organization_id, purchase_line_item_id) REFERENCES line_items(organization_id,id);
ALTER TABLE add_on_allocations ADD CONSTRAINT add_on_allocations_booking_id_fkey
  FOREIGN KEY (organization_id, booking_id) REFERENCES bookings(organization_id,id);
ALTER TABLE booking_forms ADD CONSTRAINT booking_forms_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE booking_form_fields ADD CONSTRAINT booking_form_fields_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE booking_form_entries ADD CONSTRAINT booking_form_entries_field_id_fkey
  FOREIGN KEY (organization_id, field_id) REFERENCES booking_form_fields(organization_id,id);
ALTER TABLE booking_form_entries ADD CONSTRAINT booking_form_entries_booking_form_id_fkey
  FOREIGN KEY (organization_id, booking_form_id) REFERENCES booking_forms(organization_id,id);
ALTER TABLE ticket_booking_forms ADD CONSTRAINT ticket_booking_forms_booking_form_id_fkey
  FOREIGN KEY (organization_id, booking_form_id) REFERENCES booking_forms(organization_id,id);
ALTER TABLE ticket_booking_forms ADD CONSTRAINT ticket_booking_forms_ticket_id_fkey
  FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets(organization_id,id);
ALTER TABLE import_jobs ADD CONSTRAINT import_jobs_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE import_rows ADD CONSTRAINT import_rows_job_id_fkey
  FOREIGN KEY (organization_id, job_id) REFERENCES import_jobs(organization_id,id);
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE race_day_log ADD CONSTRAINT race_day_log_organization_id_fkey
  FOREIGN KEY (organization_id) REFERENCES organizations(id);
ALTER TABLE reserved_entry_groups ADD CONSTRAINT reserved_entry_groups_partner_id_fkey
  FOREIGN KEY (organization_id, partner_id) REFERENCES partners(organization_id,id);
ALTER TABLE reserved_entry_groups ADD CONSTRAINT reserved_entry_groups_event_occurrence_id_fkey
  FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences(organization_id,id);
ALTER TABLE reserved_entry_groups ADD CONSTRAINT reserved_entry_groups_event_id_fkey
  FOREIGN KEY (organization_id, event_id) REFERENCES events(organization_id,id);
ALTER TABLE reserved_entry_group_tickets ADD CONSTRAINT reserved_entry_group_tickets_ticket_id_fkey
  FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets(organization_id,id);
ALTER TABLE reserved_entry_group_tickets ADD CONSTRAINT reserved_entry_group_tickets_reserved_entry_group_id_fkey
  FOREIGN KEY (organization_id, reserved_entry_group_id) REFERENCES reserved_entry_groups(organization_id,id);
ALTER TABLE teams ADD CONSTRAINT teams_event_occurrence_id_fkey
  FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences(organization_id,id);
ALTER TABLE start_list_entries ADD CONSTRAINT start_list_entries_reserved_entry_group_id_fkey
  FOREIGN KEY (organization_id, reserved_entry_group_id) REFERENCES reserved_entry_groups(organization_id,id);
ALTER TABLE start_list_entries ADD CONSTRAINT start_list_entries_partner_id_fkey
  FOREIGN KEY (organization_id, partner_id) REFERENCES partners(organization_id,id);
ALTER TABLE start_list_entries ADD CONSTRAINT start_list_entries_team_id_fkey
  FOREIGN KEY (organization_id, team_id) REFERENCES teams(organization_id,id);
ALTER TABLE start_list_entries ADD CONSTRAINT start_list_entries_wave_id_fkey
  FOREIGN KEY (organization_id, wave_id) REFERENCES waves(organization_id,id);
ALTER TABLE start_list_entries ADD CONSTRAINT start_list_entries_ticket_id_fkey
  FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets(organization_id,id);
ALTER TABLE start_list_entries ADD CONSTRAINT start_list_entries_race_id_fkey
  FOREIGN KEY (organization_id, race_id) REFERENCES races(organization_id,id);
ALTER TABLE start_list_entries ADD CONSTRAINT start_list_entries_event_occurrence_id_fkey
  FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences(organization_id,id);
ALTER TABLE start_list_entries ADD CONSTRAINT start_list_entries_event_id_fkey
  FOREIGN KEY (organization_id, event_id) REFERENCES events(organization_id,id);
ALTER TABLE start_list_entries ADD CONSTRAINT start_list_entries_booking_id_fkey
  FOREIGN KEY (organization_id, booking_id) REFERENCES bookings(organization_id,id);
ALTER TABLE referral_programs ADD CONSTRAINT referral_programs_event_occurrence_id_fkey
  FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences(organization_id,id);
ALTER TABLE referral_programs ADD CONSTRAINT referral_programs_event_id_fkey
  FOREIGN KEY (organization_id, event_id) REFERENCES events(organization_id,id);
ALTER TABLE referrers ADD CONSTRAINT referrers_referral_program_id_fkey
  FOREIGN KEY (organization_id, referral_program_id) REFERENCES referral_programs(organization_id,id);
ALTER TABLE referrer_owner_bookings ADD CONSTRAINT referrer_owner_bookings_booking_id_fkey
  FOREIGN KEY (organization_id, booking_id) REFERENCES bookings(organization_id,id);
ALTER TABLE referrer_owner_bookings ADD CONSTRAINT referrer_owner_bookings_referrer_id_fkey
  FOREIGN KEY (organization_id, referrer_id) REFERENCES referrers(organization_id,id);
ALTER TABLE referrals ADD CONSTRAINT referrals_start_list_entry_id_fkey
  FOREIGN KEY (organization_id, start_list_entry_id) REFERENCES start_list_entries(organization_id,id);
ALTER TABLE referrals ADD CONSTRAINT referrals_referred_booking_id_fkey
  FOREIGN KEY (organization_id, referred_booking_id) REFERENCES bookings(organization_id,id);
ALTER TABLE referrals ADD CONSTRAINT referrals_referrer_id_fkey
  FOREIGN KEY (organization_id, referrer_id) REFERENCES referrers(organization_id,id);
`;
