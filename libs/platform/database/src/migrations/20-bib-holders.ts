import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables of bib claims, race-day fields, work for the race-day queue, and folded messages. They start empty. */
export class BibHolders1795000000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLES);
    await queryRunner.query(FUNCTIONS);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      DROP FUNCTION record_race_day_messages, unlink_bib_claims, record_arrivals;
      DROP TABLE bib_claims, race_day_fields, race_day_tasks, race_day_folds, race_day_folded;
    `);
  }
}

const TABLES = /* sql */ `
CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE bib_claims (
  organization_id uuid NOT NULL REFERENCES organizations,
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
  CONSTRAINT bib_claims_pkey PRIMARY KEY (organization_id, participant_id, changed_at, seq)
);
CREATE INDEX bib_claims_unlinked_idx ON bib_claims (organization_id, bib_number, changed_at) WHERE until IS NULL;
-- Each of the next four has a condition that the questions of the others don't imply: the planner knows too little
-- of a bib that many claimed to choose well between them.
CREATE INDEX bib_claims_queue_idx ON bib_claims (organization_id, race_id, bib_number, changed_at, participant_id, seq)
  WHERE until > changed_at;
CREATE INDEX bib_claims_holders_idx ON bib_claims (organization_id, race_id, bib_number, changed_at, participant_id, seq)
  WHERE held_from IS NOT NULL;
CREATE INDEX bib_claims_last_idx ON bib_claims (organization_id, bib_number, held_from, event_occurrence_id)
  WHERE holds_last;
CREATE INDEX bib_claims_held_idx ON bib_claims
  USING gist (organization_id, bib_number, event_occurrence_id, tstzrange(held_from, held_until))
  WHERE held_until IS NOT NULL;

CREATE TABLE race_day_fields (
  organization_id uuid NOT NULL REFERENCES organizations,
  participant_id uuid NOT NULL,
  field_id text NOT NULL,
  value jsonb NOT NULL,
  changed_at timestamptz NOT NULL,
  seq bigint NOT NULL,
  CONSTRAINT race_day_fields_pkey PRIMARY KEY (organization_id, participant_id, field_id)
);

CREATE TABLE race_day_tasks (
  organization_id uuid NOT NULL REFERENCES organizations,
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  participant_ids uuid[],
  bib_number text,
  since timestamptz,
  after_seq bigint NOT NULL DEFAULT -1,
  until timestamptz,
  CONSTRAINT race_day_tasks_pkey PRIMARY KEY (organization_id, id)
);

CREATE TABLE race_day_folds (
  organization_id uuid NOT NULL REFERENCES organizations,
  seq bigint NOT NULL,
  CONSTRAINT race_day_folds_pkey PRIMARY KEY (organization_id)
);

CREATE TABLE race_day_folded (
  organization_id uuid NOT NULL REFERENCES organizations,
  participant_id uuid NOT NULL,
  messages bigint NOT NULL,
  CONSTRAINT race_day_folded_pkey PRIMARY KEY (organization_id, participant_id)
);
`;

const FUNCTIONS = /* sql */ `
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

-- Messages may wait for these participants. The task becomes visible together with them: so none is missed.
CREATE FUNCTION record_arrivals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO race_day_tasks (organization_id, participant_ids)
    SELECT organization_id, array_agg(participant_id) FROM new_rows
    WHERE approval_status = 'APPROVED' GROUP BY organization_id;
  RETURN NULL;
END $$;
`;
