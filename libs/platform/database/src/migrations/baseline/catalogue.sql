CREATE TABLE events (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  slug text NOT NULL,
  title text NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT events_slug_key UNIQUE (organization_id, slug),
  CONSTRAINT events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
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
  search_words tsvector NOT NULL DEFAULT ''::tsvector,
  called_off text,
  removed_start_date date,
  last_start_date date,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT event_occurrences_slug_key UNIQUE (organization_id, slug),
  CONSTRAINT event_occurrences_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES events
);
CREATE INDEX event_occurrences_updated_at_id_idx ON event_occurrences (organization_id, updated_at, id);
CREATE INDEX event_occurrences_event_id_start_date_idx ON event_occurrences (organization_id, event_id, start_date);
CREATE INDEX event_occurrences_start_date_id_idx ON event_occurrences (organization_id, start_date, id);
CREATE INDEX event_occurrences_marketplace_idx
  ON event_occurrences (start_date, id) INCLUDE (last_start_date, time_zone, organization_id) WHERE published AND discoverable;
CREATE INDEX event_occurrences_several_days_idx
  ON event_occurrences (last_start_date, start_date) WHERE published AND discoverable AND last_start_date > start_date;
CREATE INDEX event_occurrences_search_words_idx ON event_occurrences USING gin (search_words);

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
  start_time time,
  max_capacity integer,
  course_id uuid,
  course_title text,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT races_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES events,
  CONSTRAINT races_event_occurrence_id_fkey FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences
);
CREATE INDEX races_event_occurrence_id_position_id_idx ON races (organization_id, event_occurrence_id, "position", id);

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
  PRIMARY KEY (organization_id, id),
  CONSTRAINT waves_race_id_fkey FOREIGN KEY (organization_id, race_id) REFERENCES races
);
CREATE INDEX waves_race_id_position_idx ON waves (organization_id, race_id, "position");

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
  PRIMARY KEY (organization_id, id),
  CONSTRAINT tickets_event_occurrence_id_slug_key UNIQUE (organization_id, event_occurrence_id, slug),
  CONSTRAINT tickets_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES events,
  CONSTRAINT tickets_event_occurrence_id_fkey FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences,
  CONSTRAINT tickets_race_id_fkey FOREIGN KEY (organization_id, race_id) REFERENCES races
);
CREATE INDEX tickets_race_id_position_id_idx ON tickets (organization_id, race_id, "position", id);
CREATE INDEX tickets_event_occurrence_id_position_id_idx
  ON tickets (organization_id, event_occurrence_id, "position", id);

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
  PRIMARY KEY (organization_id, id),
  CONSTRAINT booking_form_fields_key_key UNIQUE (organization_id, key),
  CONSTRAINT booking_form_fields_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);

CREATE TABLE booking_forms (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  title text NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT booking_forms_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);

CREATE TABLE booking_form_entries (
  organization_id uuid NOT NULL,
  booking_form_id uuid NOT NULL,
  field_id uuid NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (organization_id, booking_form_id, field_id),
  CONSTRAINT booking_form_entries_booking_form_id_fkey FOREIGN KEY (organization_id, booking_form_id) REFERENCES booking_forms,
  CONSTRAINT booking_form_entries_field_id_fkey FOREIGN KEY (organization_id, field_id) REFERENCES booking_form_fields
);
CREATE INDEX booking_form_entries_field_id_idx ON booking_form_entries (organization_id, field_id);

CREATE TABLE ticket_booking_forms (
  organization_id uuid NOT NULL,
  ticket_id uuid NOT NULL,
  booking_form_id uuid NOT NULL,
  PRIMARY KEY (organization_id, ticket_id, booking_form_id),
  CONSTRAINT ticket_booking_forms_booking_form_id_fkey FOREIGN KEY (organization_id, booking_form_id) REFERENCES booking_forms,
  CONSTRAINT ticket_booking_forms_ticket_id_fkey FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets
);
CREATE INDEX ticket_booking_forms_booking_form_id_idx ON ticket_booking_forms (organization_id, booking_form_id);

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
  PRIMARY KEY (organization_id, id),
  CONSTRAINT add_ons_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES events,
  CONSTRAINT add_ons_event_occurrence_id_fkey FOREIGN KEY (organization_id, event_occurrence_id) REFERENCES event_occurrences
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
  PRIMARY KEY (organization_id, id),
  CONSTRAINT add_on_variants_add_on_id_fkey FOREIGN KEY (organization_id, add_on_id) REFERENCES add_ons
);
CREATE INDEX add_on_variants_add_on_id_position_idx ON add_on_variants (organization_id, add_on_id, "position");

CREATE TABLE search_vocabulary (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  word text NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX search_vocabulary_word_idx ON search_vocabulary (word);
CREATE INDEX search_vocabulary_beginning_idx ON search_vocabulary ("left"(word, 1), length(word));
CREATE INDEX search_vocabulary_trigrams_idx ON search_vocabulary USING gin (word gin_trgm_ops);

-- A session that fills an empty database keeps the plans it made for empty tables: scans, slower with every row.
CREATE FUNCTION write_search_words() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  -- One zone that the database doesn't know would break every list that asks what day it is there.
  PERFORM now() AT TIME ZONE NEW.time_zone;
  NEW.search_words :=
    setweight(to_tsvector('simple', search_form(concat_ws(' ', NEW.title, (
      SELECT string_agg(value, ' ') FROM jsonb_each_text(NEW.title_by_locale))))), 'A') ||
    setweight(to_tsvector('simple', search_form(concat_ws(' ', NEW.address->>'city', (
      SELECT left(string_agg(DISTINCT concat_ws(' ', r.title, (
        SELECT string_agg(value, ' ') FROM jsonb_each_text(r.title_by_locale))), ' '), 100000)
      FROM races r WHERE r.organization_id = NEW.organization_id AND r.event_occurrence_id = NEW.id)))), 'B') ||
    setweight(to_tsvector('simple', search_form(array_to_string(NEW.tags, ' '))), 'C') ||
    setweight(to_tsvector('simple', search_form(
      (SELECT name FROM organizations WHERE id = NEW.organization_id))), 'D');
  IF TG_OP = 'INSERT' OR NEW.search_words IS DISTINCT FROM OLD.search_words THEN
    INSERT INTO search_vocabulary (word)
      SELECT lexeme FROM unnest(NEW.search_words)
      WHERE length(lexeme) BETWEEN 3 AND 42 AND lexeme !~ '[0-9]'
        AND NOT EXISTS (SELECT FROM search_vocabulary WHERE word = lexeme);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_write_search_words BEFORE INSERT OR UPDATE ON event_occurrences
  FOR EACH ROW EXECUTE FUNCTION write_search_words();

-- The latest start date of the races. A change of a race updates its occurrence.
CREATE FUNCTION keep_last_start() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  NEW.last_start_date := CASE WHEN NEW.start_date IS NOT NULL THEN greatest(NEW.start_date, (
    SELECT max(r.start_date) FROM races r
    WHERE r.organization_id = NEW.organization_id AND r.event_occurrence_id = NEW.id)) END;
  RETURN NEW;
END $$;
CREATE TRIGGER a_keep_last_start BEFORE INSERT OR UPDATE ON event_occurrences
  FOR EACH ROW EXECUTE FUNCTION keep_last_start();

-- A change of an event, race, wave or ticket updates lastModified of its occurrences, and the search words.
CREATE FUNCTION touch_occurrences() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  touched text := CASE TG_TABLE_NAME
    WHEN 'events' THEN
      'SELECT c.organization_id, o.id FROM changed c JOIN event_occurrences o
         ON o.organization_id = c.organization_id AND o.event_id = c.id'
    WHEN 'waves' THEN
      'SELECT c.organization_id, r.event_occurrence_id AS id FROM changed c JOIN races r
         ON r.organization_id = c.organization_id AND r.id = c.race_id'
    ELSE 'SELECT organization_id, event_occurrence_id AS id FROM changed'
  END;
BEGIN
  EXECUTE format($sql$
    WITH changed AS (%s), touched AS (SELECT DISTINCT organization_id, id FROM (%s) t)
    UPDATE event_occurrences o SET updated_at = clock_timestamp()
    FROM touched t WHERE o.organization_id = t.organization_id AND o.id = t.id
  $sql$, CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT * FROM new_rows'
    WHEN 'DELETE' THEN 'SELECT * FROM old_rows'
    -- An update that changed nothing has not moved the row's updated_at.
    ELSE 'SELECT n.* FROM new_rows n JOIN old_rows o ON o.organization_id = n.organization_id AND o.id = n.id
            AND o.updated_at <> n.updated_at'
  END, touched);
  RETURN NULL;
END $$;

-- The date that the marketplace showed last, while it does not show the occurrence any more.
CREATE FUNCTION note_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.published AND NEW.discoverable AND NEW.called_off IS NULL AND NEW.start_date IS NOT NULL THEN
    NEW.removed_start_date := NULL;
  ELSIF OLD.published AND OLD.discoverable AND OLD.called_off IS NULL AND OLD.start_date IS NOT NULL THEN
    NEW.removed_start_date := OLD.start_date;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_note_removal BEFORE UPDATE ON event_occurrences FOR EACH ROW EXECUTE FUNCTION note_removal();
