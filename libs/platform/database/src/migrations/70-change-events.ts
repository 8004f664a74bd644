import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Change events of organizations that enable them. Nothing writes to the table yet. */
export class ChangeEvents1795000000070 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const sql of [TABLES, BODY, COUNT]) await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      DELETE FROM tallies WHERE kind = 'changeEvents';
      DROP TABLE change_events, change_event_feeds;
      DROP FUNCTION count_change_events, change_event_body;
    `);
  }
}

const TABLES = /* sql */ `
CREATE TABLE change_event_feeds (
  organization_id uuid NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  complete boolean NOT NULL DEFAULT false,
  fanned_out_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  fanned_out_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  CONSTRAINT change_event_feeds_pkey PRIMARY KEY (organization_id),
  CONSTRAINT change_event_feeds_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id)
);

CREATE TABLE change_events (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  type text NOT NULL,
  subject_id uuid NOT NULL,
  event_occurrence_id uuid,
  data jsonb NOT NULL,
  CONSTRAINT change_events_pkey PRIMARY KEY (organization_id, id)
);
CREATE INDEX change_events_occurred_idx ON change_events (organization_id, occurred_at, id);
CREATE INDEX change_events_occurrence_idx ON change_events (organization_id, event_occurrence_id, occurred_at, id)
  WHERE event_occurrence_id IS NOT NULL;
-- Where a trigger looks for what its own transaction has announced of the same row.
CREATE INDEX change_events_merging_idx ON change_events (organization_id, subject_id, occurred_at)
  WHERE right(type, 7) = 'updated';
`;

/** The list and every delivery send these bytes, so they use one definition. */
const BODY = /* sql */ `
CREATE FUNCTION change_event_body(id uuid, type text, occurred_at timestamptz, data jsonb) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT '{"id":"' || id || '","type":"' || type || '","timestamp":"'
    || to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '","data":' || data || '}'
$$;
`;

const COUNT = /* sql */ `
CREATE FUNCTION count_change_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tallies (organization_id, kind, subject_id, delta)
  SELECT organization_id, 'changeEvents', organization_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed_rows GROUP BY organization_id;
  RETURN NULL;
END $$;
CREATE TRIGGER count_inserted AFTER INSERT ON change_events
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_change_events();
CREATE TRIGGER count_deleted AFTER DELETE ON change_events
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_change_events();
`;
