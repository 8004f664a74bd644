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
  metadata jsonb NOT NULL DEFAULT '{}',
  via_partner_id uuid,
  via_top_partner_id uuid,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT bookings_discount_code_id_fkey FOREIGN KEY (organization_id, discount_code_id) REFERENCES discount_codes,
  CONSTRAINT bookings_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES events,
  CONSTRAINT bookings_event_occurrence_id_fkey FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences,
  CONSTRAINT bookings_partner_id_fkey FOREIGN KEY (organization_id, partner_id) REFERENCES partners
);
CREATE INDEX bookings_external_id_idx ON bookings (organization_id, external_booking_id, created_at, id);
CREATE INDEX bookings_created_at_id_idx ON bookings (organization_id, created_at, id);
-- With the status, by which lists filter and count.
CREATE INDEX bookings_updated_idx ON bookings (organization_id, updated_at, id, status);
CREATE INDEX bookings_occurrence_updated_idx ON bookings (organization_id, event_occurrence_id, updated_at, id);
CREATE INDEX bookings_via_partner_updated_idx
  ON bookings (organization_id, via_partner_id, updated_at, id) WHERE via_partner_id IS NOT NULL;
CREATE INDEX bookings_via_top_partner_updated_idx
  ON bookings (organization_id, via_top_partner_id, updated_at, id) WHERE via_top_partner_id IS NOT NULL;
CREATE UNIQUE INDEX bookings_live_external_id_idx
  ON bookings (organization_id, external_booking_id) WHERE status = 'CONFIRMED';
CREATE INDEX bookings_discount_code_idx
  ON bookings (organization_id, discount_code_id) WHERE discount_code_id IS NOT NULL;

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
  PRIMARY KEY (organization_id, id),
  CONSTRAINT line_items_booking_id_fkey FOREIGN KEY (organization_id, booking_id) REFERENCES bookings
);
CREATE UNIQUE INDEX line_items_external_id_idx
  ON line_items (organization_id, external_line_item_id) WHERE released_at IS NULL;
CREATE INDEX line_items_updated_at_id_idx ON line_items (organization_id, updated_at, id);
CREATE INDEX line_items_booking_id_created_at_id_idx ON line_items (organization_id, booking_id, created_at, id);
CREATE INDEX line_items_credit_idx ON line_items (organization_id, item_id) WHERE item_type = 'CREDIT';

CREATE TABLE teams (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  event_occurrence_id uuid NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT teams_event_occurrence_id_fkey FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences
);

CREATE UNIQUE INDEX teams_name_idx ON teams (organization_id, event_occurrence_id, compared_name(name));

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
  bib_written text,
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
  starts_unit boolean NOT NULL DEFAULT true,
  via_partner_id uuid,
  via_top_partner_id uuid,
  assigned_by uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
  name_order text COLLATE "C" NOT NULL,
  bib_order text COLLATE "C" NOT NULL,
  search_words tsvector NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT start_list_entries_bib_number_key UNIQUE (organization_id, race_id, bib_number) DEFERRABLE,
  CONSTRAINT start_list_entries_participant_id_key UNIQUE (organization_id, participant_id),
  CONSTRAINT start_list_entries_booking_id_fkey FOREIGN KEY (organization_id, booking_id) REFERENCES bookings,
  CONSTRAINT start_list_entries_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES events,
  CONSTRAINT start_list_entries_event_occurrence_id_fkey FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences,
  CONSTRAINT start_list_entries_partner_id_fkey FOREIGN KEY (organization_id, partner_id) REFERENCES partners,
  CONSTRAINT start_list_entries_race_id_fkey FOREIGN KEY (organization_id, race_id) REFERENCES races,
  CONSTRAINT start_list_entries_reserved_entry_group_id_fkey FOREIGN KEY (organization_id, reserved_entry_group_id) REFERENCES reserved_entry_groups,
  CONSTRAINT start_list_entries_team_id_fkey FOREIGN KEY (organization_id, team_id) REFERENCES teams,
  CONSTRAINT start_list_entries_ticket_id_fkey FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets,
  CONSTRAINT start_list_entries_wave_id_fkey FOREIGN KEY (organization_id, wave_id) REFERENCES waves
);
CREATE INDEX start_list_entries_group_idx
  ON start_list_entries (organization_id, reserved_entry_group_id) WHERE reserved_entry_group_id IS NOT NULL;
CREATE INDEX start_list_entries_booking_idx ON start_list_entries (organization_id, booking_id, participant_index);
CREATE INDEX participants_race_updated_idx
  ON start_list_entries (organization_id, race_id, updated_at, participant_id) WHERE approval_status = 'APPROVED';
CREATE INDEX participants_race_created_idx
  ON start_list_entries (organization_id, race_id, created_at, participant_id) WHERE approval_status = 'APPROVED';
CREATE INDEX participants_updated_idx
  ON start_list_entries (organization_id, updated_at, participant_id) WHERE approval_status = 'APPROVED';
CREATE INDEX participants_created_idx
  ON start_list_entries (organization_id, created_at, participant_id) WHERE approval_status = 'APPROVED';
CREATE INDEX start_list_entries_event_updated_idx ON start_list_entries (organization_id, event_id, updated_at, id);
CREATE INDEX start_list_entries_event_created_idx ON start_list_entries (organization_id, event_id, created_at, id);
CREATE INDEX start_list_entries_updated_idx ON start_list_entries (organization_id, updated_at, id);
CREATE INDEX start_list_entries_created_idx ON start_list_entries (organization_id, created_at, id);
CREATE INDEX start_list_entries_tags_idx ON start_list_entries USING gin (organization_id, tags);
CREATE INDEX start_list_entries_claimants_idx
  ON start_list_entries (organization_id, race_id, bib_claim, bib_changed_at, participant_id)
  WHERE bib_claim IS NOT NULL;
-- Exact filters of the lists of applications and participants.
CREATE INDEX start_list_entries_email_idx
  ON start_list_entries (organization_id, email_normalized, event_occurrence_id) WHERE email_normalized IS NOT NULL;
CREATE INDEX start_list_entries_external_participant_idx
  ON start_list_entries (organization_id, external_participant_id) WHERE external_participant_id IS NOT NULL;
CREATE INDEX start_list_entries_bib_idx
  ON start_list_entries (organization_id, bib_number) WHERE bib_number IS NOT NULL;
CREATE INDEX participants_cancelled_idx
  ON start_list_entries (organization_id, created_at, participant_id)
  WHERE approval_status = 'APPROVED' AND cancelled_at IS NOT NULL;
CREATE INDEX participants_race_cancelled_idx
  ON start_list_entries (organization_id, race_id, created_at, participant_id)
  WHERE approval_status = 'APPROVED' AND cancelled_at IS NOT NULL;
CREATE INDEX start_list_entries_words_idx
  ON start_list_entries
  USING gin (organization_id, search_words)
  WITH (gin_pending_list_limit = 256)
  WHERE approval_status = 'APPROVED';
-- Lists of participants of an occurrence, in both orders. The first also counts them: it has every column of the
-- condition, so that the rows are not read.
CREATE INDEX participants_occurrence_created_idx
  ON start_list_entries (organization_id, event_occurrence_id, created_at, participant_id)
  WHERE approval_status = 'APPROVED';
CREATE INDEX participants_occurrence_updated_idx
  ON start_list_entries (organization_id, event_occurrence_id, updated_at, participant_id)
  WHERE approval_status = 'APPROVED';
CREATE INDEX start_list_entries_top_partner_created_idx
  ON start_list_entries (organization_id, via_top_partner_id, created_at, id) WHERE via_top_partner_id IS NOT NULL;
CREATE INDEX start_list_entries_top_partner_updated_idx
  ON start_list_entries (organization_id, via_top_partner_id, updated_at, id) WHERE via_top_partner_id IS NOT NULL;
CREATE INDEX start_list_entries_partner_created_idx
  ON start_list_entries (organization_id, via_partner_id, created_at, id) WHERE via_partner_id IS NOT NULL;
CREATE INDEX start_list_entries_partner_updated_idx
  ON start_list_entries (organization_id, via_partner_id, updated_at, id) WHERE via_partner_id IS NOT NULL;
CREATE UNIQUE INDEX start_list_entries_assigned_idx
  ON start_list_entries (organization_id, external_assignment_id, assigned_by)
  WHERE cancelled_at IS NULL AND external_assignment_id IS NOT NULL;
CREATE INDEX start_list_entries_partner_tickets_idx
  ON start_list_entries (organization_id, via_partner_id, ticket_id) WHERE via_partner_id IS NOT NULL;
-- Applications that wait for a decision: few of all entries.
CREATE INDEX applications_pending_idx
  ON start_list_entries (organization_id, created_at, id) WHERE approval_status = 'PENDING';
CREATE INDEX applications_pending_of_ticket_idx
  ON start_list_entries (organization_id, ticket_id, created_at, id) WHERE approval_status = 'PENDING';
CREATE INDEX applications_words_idx
  ON start_list_entries
  USING gin (organization_id, search_words)
  WITH (gin_pending_list_limit = 256)
  WHERE approval_status <> 'APPROVED';
CREATE INDEX participants_name_idx
  ON start_list_entries (organization_id, name_order, participant_id)
  WHERE approval_status = 'APPROVED';
CREATE INDEX participants_bib_idx
  ON start_list_entries (organization_id, bib_order, participant_id)
  WHERE approval_status = 'APPROVED';
-- Statistics about these columns would slow down ANALYZE; the statements that use them use the indexes anyway.
ALTER TABLE start_list_entries ALTER COLUMN name_order SET STATISTICS 0, ALTER COLUMN bib_order SET STATISTICS 0,
  ALTER COLUMN search_words SET STATISTICS 0;

-- Stored, because an index of an expression would compute it for every change of a row, and lists for every row.
CREATE FUNCTION write_entry_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR (NEW.fields::text, NEW.email_normalized, NEW.external_participant_id)
    IS DISTINCT FROM (OLD.fields::text, OLD.email_normalized, OLD.external_participant_id)
  THEN
    NEW.name_order := entry_name(NEW.fields);
    NEW.search_words := entry_words(NEW.fields, NEW.email_normalized, NEW.external_participant_id);
  ELSE
    -- A new bib alone: computing the other words again would be a third of the cost of the update.
    NEW.search_words := ts_filter(OLD.search_words, '{a,b}');
  END IF;
  NEW.bib_order := bib_order(NEW.bib_number);
  NEW.search_words := NEW.search_words || bib_words(NEW.bib_number);
  RETURN NEW;
END $$;
CREATE TRIGGER a_write_entry_search BEFORE INSERT ON start_list_entries
  FOR EACH ROW EXECUTE FUNCTION write_entry_search();
CREATE TRIGGER a_rewrite_entry_search BEFORE UPDATE ON start_list_entries
  FOR EACH ROW WHEN ((OLD.fields::text, OLD.bib_number, OLD.email_normalized, OLD.external_participant_id)
    IS DISTINCT FROM (NEW.fields::text, NEW.bib_number, NEW.email_normalized, NEW.external_participant_id))
  EXECUTE FUNCTION write_entry_search();

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
  PRIMARY KEY (organization_id, id),
  CONSTRAINT add_on_allocations_add_on_id_fkey FOREIGN KEY (organization_id, add_on_id) REFERENCES add_ons,
  CONSTRAINT add_on_allocations_booking_id_fkey FOREIGN KEY (organization_id, booking_id) REFERENCES bookings,
  CONSTRAINT add_on_allocations_purchase_line_item_id_fkey FOREIGN KEY (organization_id, purchase_line_item_id) REFERENCES line_items,
  CONSTRAINT add_on_allocations_variant_id_fkey FOREIGN KEY (organization_id, variant_id) REFERENCES add_on_variants
);
CREATE UNIQUE INDEX add_on_allocations_external_id_idx
  ON add_on_allocations (organization_id, external_allocation_id) WHERE released_at IS NULL;
CREATE INDEX add_on_allocations_booking_id_created_at_id_idx
  ON add_on_allocations (organization_id, booking_id, created_at, id);

CREATE TABLE ballot_draws (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  ticket_id uuid NOT NULL,
  number integer NOT NULL,
  seed text NOT NULL,
  places integer NOT NULL,
  keeps_pending boolean NOT NULL,
  drawn_units integer NOT NULL DEFAULT 0,
  actor_type text NOT NULL,
  actor_id text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  collected_at timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT ballot_draws_ticket_id_number_key UNIQUE (organization_id, ticket_id, number),
  CONSTRAINT ballot_draws_ticket_id_fkey FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets
);
CREATE UNIQUE INDEX ballot_draws_open_idx ON ballot_draws (organization_id, ticket_id) WHERE finished_at IS NULL;

CREATE TABLE ballot_draw_entries (
  organization_id uuid NOT NULL,
  ballot_draw_id uuid NOT NULL,
  start_list_entry_id uuid NOT NULL,
  lot bytea NOT NULL,
  outcome text,
  PRIMARY KEY (organization_id, ballot_draw_id, start_list_entry_id),
  CONSTRAINT ballot_draw_entries_ballot_draw_id_fkey FOREIGN KEY (organization_id, ballot_draw_id) REFERENCES ballot_draws,
  CONSTRAINT ballot_draw_entries_start_list_entry_id_fkey FOREIGN KEY (organization_id, start_list_entry_id) REFERENCES start_list_entries
);
CREATE INDEX ballot_draw_entries_lot_idx
  ON ballot_draw_entries (organization_id, ballot_draw_id, lot) WHERE outcome IS NULL;
CREATE INDEX ballot_draw_entries_start_list_entry_id_idx ON ballot_draw_entries (organization_id, start_list_entry_id);

CREATE TABLE referral_programs (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  event_id uuid NOT NULL,
  event_occurrence_id uuid NOT NULL,
  title text NOT NULL,
  codes_from timestamptz,
  codes_after uuid,
  codes_complete boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT referral_programs_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES events,
  CONSTRAINT referral_programs_event_occurrence_id_fkey FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences
);
CREATE INDEX referral_programs_open_idx ON referral_programs (organization_id, id) WHERE NOT codes_complete;

CREATE TABLE referrers (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  referral_program_id uuid NOT NULL,
  generated_referral_code text NOT NULL,
  invite_url text,
  transaction_id uuid,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT referrers_referral_program_id_fkey FOREIGN KEY (organization_id, referral_program_id) REFERENCES referral_programs
);
CREATE INDEX referrers_referral_program_id_created_at_id_idx
  ON referrers (organization_id, referral_program_id, created_at, id);
CREATE UNIQUE INDEX referrers_code_idx
  ON referrers (organization_id, referral_program_id, compared(generated_referral_code));
CREATE UNIQUE INDEX referrers_referral_program_id_transaction_id_idx
  ON referrers (organization_id, referral_program_id, transaction_id);

CREATE TABLE referrer_owner_bookings (
  organization_id uuid NOT NULL,
  referrer_id uuid NOT NULL,
  booking_id uuid NOT NULL,
  PRIMARY KEY (organization_id, referrer_id, booking_id),
  CONSTRAINT referrer_owner_bookings_booking_id_fkey FOREIGN KEY (organization_id, booking_id) REFERENCES bookings,
  CONSTRAINT referrer_owner_bookings_referrer_id_fkey FOREIGN KEY (organization_id, referrer_id) REFERENCES referrers
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
  PRIMARY KEY (organization_id, id),
  CONSTRAINT referrals_referred_booking_id_fkey FOREIGN KEY (organization_id, referred_booking_id) REFERENCES bookings,
  CONSTRAINT referrals_referrer_id_fkey FOREIGN KEY (organization_id, referrer_id) REFERENCES referrers,
  CONSTRAINT referrals_start_list_entry_id_fkey FOREIGN KEY (organization_id, start_list_entry_id) REFERENCES start_list_entries
);
CREATE INDEX referrals_referred_booking_id_idx ON referrals (organization_id, referred_booking_id);
CREATE INDEX referrals_referrer_id_created_at_id_idx ON referrals (organization_id, referrer_id, created_at, id);
CREATE UNIQUE INDEX referrals_referrer_id_start_list_entry_id_idx
  ON referrals (organization_id, referrer_id, start_list_entry_id);

CREATE TABLE tallies (
  organization_id uuid NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  delta bigint NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX tallies_kind_subject_id_idx ON tallies (organization_id, kind, subject_id);

CREATE TABLE pending_refreshes (
  organization_id uuid NOT NULL,
  source text NOT NULL,
  source_id uuid NOT NULL,
  event_id uuid,
  changed text[] NOT NULL DEFAULT '{}',
  changed_since text[],
  requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  after_created_at timestamptz,
  after_id uuid,
  PRIMARY KEY (organization_id, source, source_id)
);

CREATE FUNCTION count_discount_uses() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT *, 1 AS sign FROM new_rows'
    WHEN 'DELETE' THEN 'SELECT *, -1 AS sign FROM old_rows'
    ELSE 'SELECT *, 1 AS sign FROM new_rows UNION ALL SELECT *, -1 FROM old_rows'
  END;
  used record;
BEGIN
  FOR used IN EXECUTE format($sql$
    SELECT organization_id, discount_code_id, sum(sign * discount_uses)::int AS delta
    FROM (%s) c WHERE discount_code_id IS NOT NULL AND status = 'CONFIRMED'
    GROUP BY 1, 2 HAVING sum(sign * discount_uses) <> 0 ORDER BY 1, 2
  $sql$, changes) LOOP
    UPDATE discount_codes SET usage_count = usage_count + used.delta
      WHERE organization_id = used.organization_id AND id = used.discount_code_id;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER count_deleted AFTER DELETE ON bookings
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_discount_uses();
CREATE TRIGGER count_inserted AFTER INSERT ON bookings
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_discount_uses();
CREATE TRIGGER count_updated AFTER UPDATE ON bookings
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_discount_uses();

-- Appends deltas to tallies, grouped first, because of a thousand entries a few groups are left. Reserved groups are counted on
-- their own rows, which importers lock in the order of ids before they hand out places.
CREATE FUNCTION count_start_list_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT *, 1 AS sign FROM new_rows'
    WHEN 'DELETE' THEN 'SELECT *, -1 AS sign FROM old_rows'
    ELSE 'SELECT *, 1 AS sign FROM new_rows UNION ALL SELECT *, -1 FROM old_rows'
  END;
  place record;
BEGIN
  EXECUTE format($sql$
    INSERT INTO tallies (organization_id, kind, subject_id, delta)
    SELECT c.organization_id, counted.kind, counted.subject_id, sum(c.sign)
    FROM (
      SELECT organization_id, event_id, race_id, ticket_id, approval_status, cancelled_at IS NULL AS is_live, takes_place, starts_unit,
        via_partner_id, via_top_partner_id, sum(sign) AS sign
      FROM (%1$s) each GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 HAVING sum(sign) <> 0
    ) c
    CROSS JOIN LATERAL (VALUES
      ('applications', c.organization_id, true),
      ('eventApplications', c.event_id, true),
      ('participants', c.organization_id, c.approval_status = 'APPROVED'),
      ('raceParticipants', c.race_id, c.approval_status = 'APPROVED'),
      ('racePlaces', c.race_id, c.approval_status = 'APPROVED' AND c.is_live AND c.takes_place),
      ('ticketPlaces', c.ticket_id,
        c.approval_status = 'APPROVED' AND c.is_live AND c.takes_place AND c.starts_unit),
      ('partnerApplications', c.via_top_partner_id, c.via_top_partner_id IS NOT NULL),
      ('partnerApplications', c.via_partner_id, c.via_partner_id <> c.via_top_partner_id),
      ('partnerParticipants', c.via_top_partner_id, c.via_top_partner_id IS NOT NULL AND c.approval_status = 'APPROVED'),
      ('partnerParticipants', c.via_partner_id, c.via_partner_id <> c.via_top_partner_id AND c.approval_status = 'APPROVED')
    ) counted (kind, subject_id, holds)
    WHERE counted.holds
    GROUP BY 1, 2, 3
    HAVING sum(c.sign) <> 0
    UNION ALL
    SELECT c.organization_id, 'taggedParticipants', md5(tagged.tag)::uuid, sum(c.sign)
    FROM (%1$s) c CROSS JOIN LATERAL (SELECT DISTINCT tag FROM unnest(c.tags) tag) tagged
    WHERE c.approval_status = 'APPROVED' AND c.tags <> '{}'
    GROUP BY 1, 2, 3
    HAVING sum(c.sign) <> 0
  $sql$, changes);

  FOR place IN EXECUTE format($sql$
    SELECT organization_id, reserved_entry_group_id, ticket_id, sum(sign)::int AS delta
    FROM (%1$s) c WHERE holds_reserved_place AND reserved_entry_group_id IS NOT NULL
    GROUP BY 1, 2, 3 HAVING sum(sign) <> 0 ORDER BY 1, 2, 3
  $sql$, changes) LOOP
    UPDATE reserved_entry_groups SET used_capacity = used_capacity + place.delta
      WHERE organization_id = place.organization_id AND id = place.reserved_entry_group_id;
    UPDATE reserved_entry_group_tickets SET used_capacity = used_capacity + place.delta
      WHERE organization_id = place.organization_id
        AND reserved_entry_group_id = place.reserved_entry_group_id AND ticket_id = place.ticket_id;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER count_deleted AFTER DELETE ON start_list_entries
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_start_list_entries();
CREATE TRIGGER count_inserted AFTER INSERT ON start_list_entries
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_start_list_entries();
CREATE TRIGGER count_updated AFTER UPDATE ON start_list_entries
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION count_start_list_entries();

CREATE FUNCTION tally(organization uuid, counted text, subject uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(delta), 0)::bigint FROM tallies
  WHERE organization_id = organization AND kind = counted AND subject_id = subject
$$;

-- Merges the deltas of counters with more than `crowded` deltas. A single statement, so that the snapshot of a
-- reader contains either all deltas or their sum. It adds up the rows that it deleted itself, so that concurrently
-- appended deltas stay, and deltas that were merged concurrently do not count twice. The number of rows is
-- bounded, because lists that end at the watermark wait for the transaction.
CREATE FUNCTION compact_counters(crowded integer) RETURNS void LANGUAGE sql SECURITY DEFINER AS $$
  WITH crowds AS (
    SELECT organization_id, kind, subject_id FROM tallies
    GROUP BY organization_id, kind, subject_id HAVING count(*) > crowded
    LIMIT 500
  ), gone AS (
    DELETE FROM tallies t USING crowds c
    WHERE t.organization_id = c.organization_id AND t.kind = c.kind AND t.subject_id = c.subject_id
    RETURNING t.organization_id, t.kind, t.subject_id, t.delta
  )
  INSERT INTO tallies (organization_id, kind, subject_id, delta)
  SELECT organization_id, kind, subject_id, sum(delta) FROM gone
  GROUP BY organization_id, kind, subject_id HAVING sum(delta) <> 0
$$;

-- Entries that show the metadata of their booking change with it, so that pollers see the change.
CREATE FUNCTION share_metadata() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE start_list_entries
  SET metadata = jsonb_set(metadata, '{startline,ofBooking}', to_jsonb((metadata #>> '{startline,ofBooking}')::int + 1))
  WHERE organization_id = NEW.organization_id AND booking_id = NEW.id AND metadata #> '{startline,ofBooking}' IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER share_metadata AFTER UPDATE ON bookings
  FOR EACH ROW WHEN (OLD.metadata IS DISTINCT FROM NEW.metadata) EXECUTE FUNCTION share_metadata();

-- Through which partner an entry came, and the partner above it.
CREATE FUNCTION via_partner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT p.id, coalesce(p.parent_partner_id, p.id) INTO NEW.via_partner_id, NEW.via_top_partner_id
  FROM reserved_entry_groups g JOIN partners p ON p.organization_id = g.organization_id AND p.id = g.partner_id
  WHERE g.organization_id = NEW.organization_id AND g.id = NEW.reserved_entry_group_id;
  RETURN NEW;
END $$;
CREATE TRIGGER via_other_partner BEFORE UPDATE OF reserved_entry_group_id ON start_list_entries
  FOR EACH ROW WHEN (NEW.reserved_entry_group_id IS DISTINCT FROM OLD.reserved_entry_group_id)
  EXECUTE FUNCTION via_partner();
CREATE TRIGGER via_partner BEFORE INSERT ON start_list_entries
  FOR EACH ROW WHEN (NEW.reserved_entry_group_id IS NOT NULL) EXECUTE FUNCTION via_partner();

-- Finds the bookings of new entries one by one. A join could compare every entry with all bookings of an organization that the
-- statistics do not know yet. The limit keeps the subquery from becoming a join.
CREATE FUNCTION bookings_via_partner() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  other record;
BEGIN
  FOR other IN
    SELECT n.organization_id, array_agg(DISTINCT n.booking_id) AS ids
    FROM new_rows n CROSS JOIN LATERAL (SELECT via_partner_id, via_top_partner_id FROM bookings
      WHERE organization_id = n.organization_id AND id = n.booking_id LIMIT 1) b
    WHERE ROW(b.via_partner_id, b.via_top_partner_id) IS DISTINCT FROM ROW(n.via_partner_id, n.via_top_partner_id)
    GROUP BY n.organization_id
  LOOP
    PERFORM decide_via_partner(other.organization_id, other.ids);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER bookings_via_partner AFTER INSERT ON start_list_entries
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bookings_via_partner();

CREATE FUNCTION booking_via_partner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM decide_via_partner(NEW.organization_id, ARRAY[NEW.booking_id]);
  RETURN NULL;
END $$;
CREATE TRIGGER booking_via_other_partner AFTER UPDATE OF reserved_entry_group_id ON start_list_entries
  FOR EACH ROW WHEN (NEW.via_partner_id IS DISTINCT FROM OLD.via_partner_id) EXECUTE FUNCTION booking_via_partner();

-- A booking came through the partner of all its entries. It shows in no response, so no time moves.
CREATE FUNCTION decide_via_partner(organization uuid, ids uuid[])
RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM set_config('startline.derived', 'on', true);
  UPDATE bookings b SET via_partner_id = v.partner_id, via_top_partner_id = v.top_partner_id
  FROM (
    SELECT e.booking_id,
      CASE WHEN count(*) = count(e.via_partner_id) AND count(DISTINCT e.via_partner_id) = 1
        THEN (array_agg(e.via_partner_id))[1] END AS partner_id,
      CASE WHEN count(*) = count(e.via_top_partner_id) AND count(DISTINCT e.via_top_partner_id) = 1
        THEN (array_agg(e.via_top_partner_id))[1] END AS top_partner_id
    FROM start_list_entries e WHERE e.organization_id = organization AND e.booking_id = ANY (ids) GROUP BY e.booking_id
  ) v
  WHERE b.organization_id = organization AND b.id = v.booking_id
    AND ROW(b.via_partner_id, b.via_top_partner_id) IS DISTINCT FROM ROW(v.partner_id, v.top_partner_id);
  PERFORM set_config('startline.derived', '', true);
END $$;

CREATE FUNCTION via_partner_of_group() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  top uuid;
BEGIN
  SELECT coalesce(p.parent_partner_id, p.id) INTO top FROM partners p
  WHERE p.organization_id = NEW.organization_id AND p.id = NEW.partner_id;
  PERFORM set_config('startline.derived', 'on', true);
  UPDATE start_list_entries SET via_partner_id = NEW.partner_id, via_top_partner_id = top
  WHERE organization_id = NEW.organization_id AND reserved_entry_group_id = NEW.id;
  PERFORM decide_via_partner(NEW.organization_id, array(
    SELECT DISTINCT booking_id FROM start_list_entries
    WHERE organization_id = NEW.organization_id AND reserved_entry_group_id = NEW.id));
  PERFORM set_config('startline.derived', '', true);
  RETURN NULL;
END $$;
CREATE TRIGGER via_partner_of_group AFTER UPDATE OF partner_id ON reserved_entry_groups
  FOR EACH ROW WHEN (NEW.partner_id IS DISTINCT FROM OLD.partner_id) EXECUTE FUNCTION via_partner_of_group();

-- Limits the statements of a transaction that already sees one organization to what a partner sees: settings with
-- the ids, and the schema of the partner's views before the others. The conditions of the views are in
-- `partner-views.ts`.
CREATE FUNCTION enter_partner(organization uuid, partner uuid)
RETURNS void LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
  seen record;
BEGIN
  SELECT array(SELECT p.id FROM partners p WHERE p.organization_id = organization AND (p.id = partner OR p.parent_partner_id = partner))
    INTO seen;
  WITH RECURSIVE own AS (
    SELECT g.id, g.event_id, g.event_occurrence_id FROM reserved_entry_groups g
    WHERE g.organization_id = organization AND g.partner_id = ANY (seen.array)
  ), held AS (
    SELECT p.id AS partner_id, first.ticket_id FROM unnest(seen.array) p (id) CROSS JOIN LATERAL (
      SELECT e.ticket_id FROM start_list_entries e
      WHERE e.organization_id = organization AND e.via_partner_id = p.id ORDER BY e.ticket_id LIMIT 1) first
    UNION ALL
    SELECT h.partner_id, next.ticket_id FROM held h CROSS JOIN LATERAL (
      SELECT e.ticket_id FROM start_list_entries e
      WHERE e.organization_id = organization AND e.via_partner_id = h.partner_id AND e.ticket_id > h.ticket_id
      ORDER BY e.ticket_id LIMIT 1) next
  ), places AS (
    SELECT t.id, t.race_id, t.event_id, t.event_occurrence_id FROM tickets t
    WHERE t.organization_id = organization AND t.id = ANY (array(
      SELECT x.ticket_id FROM reserved_entry_group_tickets x
      WHERE x.organization_id = organization AND x.reserved_entry_group_id = ANY (array(SELECT id FROM own))
      UNION SELECT ticket_id FROM held))
  ), forms AS (
    SELECT f.booking_form_id AS id FROM ticket_booking_forms f
    WHERE f.organization_id = organization AND f.ticket_id = ANY (array(SELECT id FROM places))
  )
  SELECT set_config('startline.partners', seen.array::text, true),
    set_config('startline.partner_groups', array(SELECT id FROM own)::text, true),
    set_config('startline.partner_events', array(SELECT event_id FROM own UNION SELECT event_id FROM places)::text, true),
    set_config('startline.partner_occurrences', array(
      SELECT event_occurrence_id FROM own UNION SELECT event_occurrence_id FROM places)::text, true),
    set_config('startline.partner_tickets', array(SELECT DISTINCT id FROM places)::text, true),
    set_config('startline.partner_races', array(SELECT DISTINCT race_id FROM places)::text, true),
    set_config('startline.partner_forms', array(SELECT DISTINCT id FROM forms)::text, true),
    set_config('startline.partner_fields', array(
      SELECT DISTINCT e.field_id FROM booking_form_entries e
      WHERE e.organization_id = organization AND e.booking_form_id = ANY (array(SELECT id FROM forms)))::text, true)
    INTO seen;
  PERFORM set_config('search_path', quote_ident(current_schema() || '_partner') || ', ' || current_setting('search_path'), true);
  PERFORM set_config('startline.partner', partner::text, true);
END $$;

-- With a referral program whose earlier bookings have no codes yet.
CREATE FUNCTION organizations_to_code() RETURNS SETOF uuid LANGUAGE sql SECURITY DEFINER AS $$
  SELECT DISTINCT organization_id FROM referral_programs WHERE NOT codes_complete
$$;

CREATE FUNCTION organizations_to_refresh(most integer) RETURNS SETOF uuid LANGUAGE sql SECURITY DEFINER AS $$
  SELECT DISTINCT organization_id FROM pending_refreshes ORDER BY 1 LIMIT most
$$;
