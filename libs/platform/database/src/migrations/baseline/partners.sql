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
  parent_partner_id uuid,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT partners_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);
CREATE INDEX partners_updated_at_id_idx ON partners (organization_id, updated_at, id);
CREATE INDEX partners_created_at_id_idx ON partners (organization_id, created_at, id);
CREATE INDEX partners_parent_idx
  ON partners (organization_id, parent_partner_id) WHERE parent_partner_id IS NOT NULL;

CREATE TABLE partner_external_ids (
  organization_id uuid NOT NULL,
  partner_id uuid NOT NULL,
  type text NOT NULL,
  external_id text NOT NULL,
  PRIMARY KEY (organization_id, partner_id, type),
  CONSTRAINT partner_external_ids_type_external_id_key UNIQUE (organization_id, type, external_id),
  CONSTRAINT partner_external_ids_partner_id_fkey FOREIGN KEY (organization_id, partner_id) REFERENCES partners
);

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
  deadline timestamptz,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT reserved_entry_groups_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES events,
  CONSTRAINT reserved_entry_groups_event_occurrence_id_fkey FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences,
  CONSTRAINT reserved_entry_groups_partner_id_fkey FOREIGN KEY (organization_id, partner_id) REFERENCES partners
);
CREATE INDEX reserved_entry_groups_event_occurrence_id_created_at_id_idx
  ON reserved_entry_groups (organization_id, event_occurrence_id, created_at, id);
CREATE INDEX reserved_entry_groups_event_id_created_at_id_idx
  ON reserved_entry_groups (organization_id, event_id, created_at, id);
CREATE INDEX reserved_entry_groups_partner_idx
  ON reserved_entry_groups (organization_id, partner_id) WHERE partner_id IS NOT NULL;

CREATE TABLE reserved_entry_group_tickets (
  organization_id uuid NOT NULL,
  reserved_entry_group_id uuid NOT NULL,
  ticket_id uuid NOT NULL,
  position integer NOT NULL DEFAULT 0,
  max_capacity integer,
  used_capacity integer NOT NULL DEFAULT 0,
  discount jsonb,
  start_date_time timestamptz,
  PRIMARY KEY (organization_id, reserved_entry_group_id, ticket_id),
  CONSTRAINT reserved_entry_group_tickets_reserved_entry_group_id_fkey FOREIGN KEY (organization_id, reserved_entry_group_id) REFERENCES reserved_entry_groups,
  CONSTRAINT reserved_entry_group_tickets_ticket_id_fkey FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets
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
  PRIMARY KEY (organization_id, id),
  CONSTRAINT discount_codes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations,
  CONSTRAINT discount_codes_partner_id_fkey FOREIGN KEY (organization_id, partner_id) REFERENCES partners
);
CREATE UNIQUE INDEX discount_codes_code_idx
  ON discount_codes (organization_id, compared(code)) WHERE deleted_at IS NULL;
CREATE INDEX discount_codes_created_idx ON discount_codes (organization_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX discount_codes_partner_idx ON discount_codes (organization_id, partner_id) WHERE partner_id IS NOT NULL;

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
  PRIMARY KEY (organization_id, id),
  CONSTRAINT credits_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);
CREATE INDEX credits_email_normalized_idx ON credits (organization_id, email_normalized);
CREATE UNIQUE INDEX credits_external_id_idx ON credits (organization_id, external_credit_id);
-- Indexes for the order and the filters of the list of credits, and for the line items that spend a credit.
CREATE INDEX credits_created_idx ON credits (organization_id, created_at, id);
CREATE INDEX credits_event_idx ON credits (organization_id, event_id, created_at, id) WHERE event_id IS NOT NULL;
