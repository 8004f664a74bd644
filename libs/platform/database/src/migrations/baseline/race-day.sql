CREATE TABLE race_day_log (
  organization_id uuid NOT NULL,
  seq bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  source text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at timestamptz NOT NULL,
  participant_id uuid,
  named_by_bib boolean NOT NULL DEFAULT false,
  event_occurrence_ids uuid[],
  sets_bib boolean NOT NULL DEFAULT false,
  bib_number text,
  bib_written text,
  shipping_status text,
  shipped_at timestamptz,
  shipping_carrier text,
  tracking_number text,
  tracking_url text,
  custom_fields jsonb,
  api_key_id uuid,
  applied_at timestamptz,
  waiting_for text,
  PRIMARY KEY (organization_id, seq),
  CONSTRAINT race_day_log_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);
CREATE INDEX race_day_log_waiting_idx ON race_day_log (organization_id, waiting_for) WHERE waiting_for IS NOT NULL;
CREATE INDEX race_day_log_pending_idx ON race_day_log (organization_id, seq) WHERE applied_at IS NULL;
CREATE INDEX race_day_log_claims_idx
  ON race_day_log (organization_id, bib_number, participant_id, changed_at, seq) WHERE sets_bib;
CREATE INDEX race_day_log_participant_idx ON race_day_log (organization_id, participant_id, changed_at, seq);
-- The newest message of each kind about a participant: one bit per field that it sets.
CREATE INDEX race_day_log_newest_idx
  ON race_day_log (organization_id, participant_id, (
    sets_bib::int + (shipping_status IS NOT NULL)::int * 2 + (shipping_carrier IS NOT NULL)::int * 4
    + (tracking_number IS NOT NULL)::int * 8 + (tracking_url IS NOT NULL)::int * 16), changed_at, seq)
  WHERE applied_at IS NOT NULL AND waiting_for IS NULL AND (sets_bib OR shipping_status IS NOT NULL);
CREATE INDEX race_day_log_by_bib_idx ON race_day_log (organization_id, bib_number, changed_at, seq) WHERE named_by_bib;
CREATE INDEX race_day_log_pending_claims_idx
  ON race_day_log (organization_id, bib_number) WHERE sets_bib AND applied_at IS NULL;
CREATE INDEX race_day_log_unidentified_idx
  ON race_day_log (organization_id, seq) WHERE waiting_for IS NOT NULL AND source = 'TIMING';
CREATE INDEX race_day_log_unidentified_key_idx
  ON race_day_log (organization_id, api_key_id, seq) WHERE waiting_for IS NOT NULL AND source = 'TIMING';
CREATE INDEX race_day_log_organization_waiting_since_idx
  ON race_day_log (organization_id, applied_at) WHERE waiting_for IS NOT NULL;

CREATE TABLE race_day_tasks (
  organization_id uuid NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  participant_ids uuid[],
  bib_number text,
  since timestamptz,
  after_seq bigint NOT NULL DEFAULT '-1'::integer,
  until timestamptz,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT race_day_tasks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);

CREATE TABLE race_day_fields (
  organization_id uuid NOT NULL,
  participant_id uuid NOT NULL,
  field_id text NOT NULL,
  value jsonb NOT NULL,
  changed_at timestamptz NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (organization_id, participant_id, field_id),
  CONSTRAINT race_day_fields_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);

CREATE TABLE race_day_folds (
  organization_id uuid NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (organization_id),
  CONSTRAINT race_day_folds_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);

CREATE TABLE race_day_folded (
  organization_id uuid NOT NULL,
  participant_id uuid NOT NULL,
  messages bigint NOT NULL,
  PRIMARY KEY (organization_id, participant_id),
  CONSTRAINT race_day_folded_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);

CREATE TABLE bib_claims (
  organization_id uuid NOT NULL,
  participant_id uuid NOT NULL,
  changed_at timestamptz NOT NULL,
  seq bigint NOT NULL,
  bib_number text,
  race_id uuid,
  event_occurrence_id uuid,
  until timestamptz,
  held_from timestamptz,
  held_until timestamptz,
  holds_last boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, participant_id, changed_at, seq),
  CONSTRAINT bib_claims_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations
);
CREATE INDEX bib_claims_unlinked_idx ON bib_claims (organization_id, bib_number, changed_at) WHERE until IS NULL;
-- Each of the next four has a condition that the questions of the others don't imply: the planner knows too little
-- of a bib that many claimed to choose well between them.
CREATE INDEX bib_claims_queue_idx
  ON bib_claims (organization_id, race_id, bib_number, changed_at, participant_id, seq) WHERE until > changed_at;
CREATE INDEX bib_claims_holders_idx
  ON bib_claims (organization_id, race_id, bib_number, changed_at, participant_id, seq) WHERE held_from IS NOT NULL;
CREATE INDEX bib_claims_last_idx
  ON bib_claims (organization_id, bib_number, held_from, event_occurrence_id) WHERE holds_last;
CREATE INDEX bib_claims_held_idx
  ON bib_claims USING gist (organization_id, bib_number, event_occurrence_id, tstzrange(held_from, held_until))
  WHERE held_until IS NOT NULL;
CREATE INDEX bib_claims_left_idx
  ON bib_claims (organization_id, participant_id, changed_at, seq)
  WHERE bib_number IS NULL AND race_id IS NOT NULL;

-- Whoever logs or applies a message: its claim of a bib is recorded, for the worker to link, and its fields.
CREATE FUNCTION record_race_day_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM new_rows WHERE sets_bib AND applied_at IS NOT NULL AND waiting_for IS NULL) THEN
    INSERT INTO bib_claims (organization_id, participant_id, changed_at, seq, bib_number)
      SELECT organization_id, participant_id, changed_at, seq, bib_number FROM new_rows
      WHERE sets_bib AND applied_at IS NOT NULL AND waiting_for IS NULL
      ON CONFLICT DO NOTHING;
  END IF;
  IF TG_OP = 'INSERT' THEN
    IF EXISTS (SELECT FROM new_rows WHERE custom_fields IS NOT NULL) THEN
      INSERT INTO race_day_fields AS known (organization_id, participant_id, field_id, value, changed_at, seq)
        SELECT DISTINCT ON (n.organization_id, n.participant_id, f.field->>'id')
          n.organization_id, n.participant_id, f.field->>'id', f.field->'value', n.changed_at, n.seq
        FROM new_rows n CROSS JOIN LATERAL jsonb_array_elements(n.custom_fields) WITH ORDINALITY f (field, place)
        WHERE n.custom_fields IS NOT NULL AND n.participant_id IS NOT NULL
        ORDER BY n.organization_id, n.participant_id, f.field->>'id', n.changed_at DESC, n.seq DESC, f.place DESC
        ON CONFLICT (organization_id, participant_id, field_id) DO UPDATE
          SET value = excluded.value, changed_at = excluded.changed_at, seq = excluded.seq
          WHERE (excluded.changed_at, excluded.seq) > (known.changed_at, known.seq);
    END IF;
  ELSIF EXISTS (SELECT FROM old_rows WHERE custom_fields IS NOT NULL) THEN
    -- Redaction removes the fields from the log.
    DELETE FROM race_day_fields f USING old_rows o, new_rows n
      WHERE o.custom_fields IS NOT NULL AND n.custom_fields IS NULL
        AND n.organization_id = o.organization_id AND n.seq = o.seq
        AND f.organization_id = o.organization_id AND f.participant_id = o.participant_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER record_inserted AFTER INSERT ON race_day_log
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_race_day_messages();
CREATE TRIGGER record_updated AFTER UPDATE ON race_day_log
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION record_race_day_messages();

-- Messages that are forgotten while they wait do not count as accepted any more; superseded ones that are deleted
-- do.
CREATE FUNCTION count_timing_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO tallies (organization_id, kind, subject_id, delta)
    SELECT c.organization_id, c.kind, c.id, sum(c.sign) FROM (
      SELECT m.organization_id, CASE WHEN m.applied_at IS NULL THEN 'timingPending'
        WHEN m.waiting_for IS NOT NULL THEN 'timingWaiting' ELSE 'timingApplied' END AS kind, subject.id, 1 AS sign
      FROM new_rows m CROSS JOIN LATERAL (VALUES (m.organization_id), (m.api_key_id)) subject (id)
      WHERE m.source = 'TIMING' AND subject.id IS NOT NULL
    ) c
    GROUP BY 1, 2, 3 HAVING sum(c.sign) <> 0;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO tallies (organization_id, kind, subject_id, delta)
    SELECT c.organization_id, c.kind, c.id, sum(c.sign) FROM (
      SELECT m.organization_id, CASE WHEN m.applied_at IS NULL THEN 'timingPending'
        WHEN m.waiting_for IS NOT NULL THEN 'timingWaiting' ELSE 'timingApplied' END AS kind, subject.id, 1 AS sign
      FROM new_rows m CROSS JOIN LATERAL (VALUES (m.organization_id), (m.api_key_id)) subject (id)
      WHERE m.source = 'TIMING' AND subject.id IS NOT NULL
      UNION ALL
      SELECT m.organization_id, CASE WHEN m.applied_at IS NULL THEN 'timingPending'
        WHEN m.waiting_for IS NOT NULL THEN 'timingWaiting' ELSE 'timingApplied' END AS kind, subject.id, -1 AS sign
      FROM old_rows m CROSS JOIN LATERAL (VALUES (m.organization_id), (m.api_key_id)) subject (id)
      WHERE m.source = 'TIMING' AND subject.id IS NOT NULL
    ) c
    GROUP BY 1, 2, 3 HAVING sum(c.sign) <> 0;
  ELSE
    INSERT INTO tallies (organization_id, kind, subject_id, delta)
    SELECT c.organization_id, c.kind, c.id, sum(c.sign) FROM (
      SELECT * FROM (SELECT m.organization_id, CASE WHEN m.applied_at IS NULL THEN 'timingPending'
          WHEN m.waiting_for IS NOT NULL THEN 'timingWaiting' ELSE 'timingApplied' END AS kind, subject.id, -1 AS sign
        FROM old_rows m CROSS JOIN LATERAL (VALUES (m.organization_id), (m.api_key_id)) subject (id)
        WHERE m.source = 'TIMING' AND subject.id IS NOT NULL) gone WHERE kind <> 'timingApplied'
    ) c
    GROUP BY 1, 2, 3 HAVING sum(c.sign) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER count_timing_deleted AFTER DELETE ON race_day_log
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_timing_messages();
CREATE TRIGGER count_timing_inserted AFTER INSERT ON race_day_log
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_timing_messages();
CREATE TRIGGER count_timing_updated AFTER UPDATE ON race_day_log
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_timing_messages();

-- Messages may wait for these participants. The task becomes visible together with them: so none is missed.
CREATE FUNCTION record_arrivals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO race_day_tasks (organization_id, participant_ids)
    SELECT organization_id, array_agg(participant_id) FROM new_rows
    WHERE approval_status = 'APPROVED' GROUP BY organization_id;
  RETURN NULL;
END $$;
CREATE TRIGGER record_arrivals AFTER INSERT ON start_list_entries
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_arrivals();

-- A cancellation ends what the entry claims, and only an approved entry claims anything: the worker links again.
CREATE FUNCTION unlink_bib_claims() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE bib_claims SET until = NULL
    WHERE organization_id = NEW.organization_id AND participant_id = NEW.participant_id
      AND (NEW.cancelled_at IS NULL OR NEW.approval_status <> OLD.approval_status OR until > NEW.cancelled_at);
  IF NEW.approval_status = 'APPROVED' AND OLD.approval_status <> 'APPROVED' THEN
    INSERT INTO race_day_tasks (organization_id, participant_ids)
      VALUES (NEW.organization_id, ARRAY[NEW.participant_id]);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER unlink_claims AFTER UPDATE OF cancelled_at, approval_status ON start_list_entries
  FOR EACH ROW WHEN (OLD.cancelled_at IS DISTINCT FROM NEW.cancelled_at OR OLD.approval_status <> NEW.approval_status)
  EXECUTE FUNCTION unlink_bib_claims();

CREATE FUNCTION organizations_with_race_day_work(beyond uuid, most integer)
RETURNS SETOF uuid LANGUAGE sql SECURITY DEFINER AS $$
  WITH RECURSIVE walk AS (
    SELECT beyond AS organization_id, 0 AS place
    UNION ALL
    SELECT least(
      (SELECT l.organization_id FROM race_day_log l WHERE l.applied_at IS NULL AND l.organization_id > walk.organization_id
       ORDER BY l.organization_id, l.seq LIMIT 1),
      (SELECT c.organization_id FROM bib_claims c WHERE c.until IS NULL AND c.organization_id > walk.organization_id
       ORDER BY c.organization_id, c.bib_number, c.changed_at LIMIT 1),
      (SELECT t.organization_id FROM race_day_tasks t WHERE t.organization_id > walk.organization_id
       ORDER BY t.organization_id, t.id LIMIT 1)), place + 1
    FROM walk WHERE organization_id IS NOT NULL AND place < most
  )
  SELECT organization_id FROM walk WHERE organization_id IS NOT NULL AND place > 0
$$;

-- From the first pending message of one organization to that of the next, in the order of an index, so that the
-- planner uses the index even if it overestimates the number of pending messages: most of the millions in the log
-- are not pending.
CREATE FUNCTION race_day_figures(organizations integer, most integer)
RETURNS TABLE(lag double precision, pending integer, waiting integer) LANGUAGE sql SECURITY DEFINER AS $$
  WITH RECURSIVE first AS (
    (SELECT organization_id, received_at, 1 AS place FROM race_day_log
      WHERE applied_at IS NULL ORDER BY organization_id, seq LIMIT 1)
    UNION ALL
    SELECT following.organization_id, following.received_at, first.place + 1
    FROM first CROSS JOIN LATERAL (
      SELECT l.organization_id, l.received_at FROM race_day_log l
      WHERE l.applied_at IS NULL AND l.organization_id > first.organization_id
      ORDER BY l.organization_id, l.seq LIMIT 1) following
    WHERE first.place < organizations
  )
  SELECT coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(received_at))), 0)::float8,
    (SELECT count(*) FROM (SELECT FROM race_day_log WHERE applied_at IS NULL
      ORDER BY organization_id, seq LIMIT most) unapplied)::int,
    (SELECT count(*) FROM (SELECT FROM race_day_log WHERE waiting_for IS NOT NULL
      ORDER BY organization_id, waiting_for LIMIT most) unidentified)::int
  FROM first
$$;
