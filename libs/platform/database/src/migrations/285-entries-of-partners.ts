import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countEntries } from './160-tagged-participants';
import { createDefinerFunctions } from './definer';

/**
 * Through which partner an entry came, and that partner's parent or itself, so that the entries of a partner key are a range of an
 * index. A booking has them if all of its entries came through the same. Without a surrounding transaction, so that only one table
 * is locked at a time; every statement can be repeated.
 */
export class EntriesOfPartners1795000000285 implements MigrationInterface {
  transaction = false as const;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Entries are counted before triggers give them partners.
    for (const sql of [...COLUMNS, countEntries(OF_PARTNERS), TIMES, ...FUNCTIONS, ...TRIGGERS, ENTER])
      await queryRunner.query(sql);
    await createDefinerFunctions(queryRunner, [FILL]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const [{ schema }] = await queryRunner.query('SELECT quote_ident(current_schema()) AS schema');
    await queryRunner.query(/* sql */ `
      DROP SCHEMA IF EXISTS ${schema}_partner CASCADE;
      DROP VIEW IF EXISTS own_start_list_entries`);
    await queryRunner.query(countEntries());
    await queryRunner.query(/* sql */ `
      DROP TRIGGER IF EXISTS via_partner ON start_list_entries;
      DROP TRIGGER IF EXISTS via_other_partner ON start_list_entries;
      DROP TRIGGER IF EXISTS bookings_via_partner ON start_list_entries;
      DROP TRIGGER IF EXISTS booking_via_other_partner ON start_list_entries;
      DROP TRIGGER IF EXISTS via_partner_of_group ON reserved_entry_groups;
      DROP FUNCTION IF EXISTS via_partner, bookings_via_partner, booking_via_partner, via_partner_of_group, decide_via_partner, enter_partner,
        fill_entries_of_partners;
      DELETE FROM tallies WHERE kind IN ('partnerApplications', 'partnerParticipants');
      ALTER TABLE start_list_entries DROP COLUMN IF EXISTS via_partner_id, DROP COLUMN IF EXISTS via_top_partner_id;
      ALTER TABLE bookings DROP COLUMN IF EXISTS via_partner_id, DROP COLUMN IF EXISTS via_top_partner_id`);
    await queryRunner.query(keepTimes(''));
  }
}

const COLUMNS = ['start_list_entries', 'bookings'].map(
  (table) =>
    `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS via_partner_id uuid, ADD COLUMN IF NOT EXISTS via_top_partner_id uuid`,
);

/** What is derived and shows in no response moves no time, and is not announced. */
const UNLESS_DERIVED = `
  IF TG_OP = 'UPDATE' AND current_setting('startline.derived', true) = 'on' THEN RETURN NEW; END IF;`;

export const keepTimes = (unless = UNLESS_DERIVED) => /* sql */ `
CREATE OR REPLACE FUNCTION keep_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN${unless}
  PERFORM pg_current_xact_id();
  NEW.updated_at := clock_timestamp();
  NEW.created_at := coalesce(NEW.created_at, NEW.updated_at);
  RETURN NEW;
END $$`;

const TIMES = keepTimes();

/** Those that find bookings keep no plans of empty tables, which would read all rows. */
const FUNCTIONS = [
  /* sql */ `
CREATE OR REPLACE FUNCTION via_partner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT p.id, coalesce(p.parent_partner_id, p.id) INTO NEW.via_partner_id, NEW.via_top_partner_id
  FROM reserved_entry_groups g JOIN partners p ON p.organization_id = g.organization_id AND p.id = g.partner_id
  WHERE g.organization_id = NEW.organization_id AND g.id = NEW.reserved_entry_group_id;
  RETURN NEW;
END $$`,
  /* sql */ `
CREATE OR REPLACE FUNCTION decide_via_partner(organization uuid, ids uuid[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off AS $$
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
END $$`,
  /* sql */ `
CREATE OR REPLACE FUNCTION bookings_via_partner() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  other record;
BEGIN
  FOR other IN
    SELECT n.organization_id, array_agg(DISTINCT n.booking_id) AS ids
    FROM new_rows n JOIN bookings b ON b.organization_id = n.organization_id AND b.id = n.booking_id
    WHERE ROW(b.via_partner_id, b.via_top_partner_id) IS DISTINCT FROM ROW(n.via_partner_id, n.via_top_partner_id)
    GROUP BY n.organization_id
  LOOP
    PERFORM decide_via_partner(other.organization_id, other.ids);
  END LOOP;
  RETURN NULL;
END $$`,
  /* sql */ `
CREATE OR REPLACE FUNCTION booking_via_partner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM decide_via_partner(NEW.organization_id, ARRAY[NEW.booking_id]);
  RETURN NULL;
END $$`,
  /* sql */ `
CREATE OR REPLACE FUNCTION via_partner_of_group() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$`,
];

const TRIGGERS = [
  /* sql */ `
CREATE OR REPLACE TRIGGER via_partner BEFORE INSERT ON start_list_entries FOR EACH ROW
  WHEN (NEW.reserved_entry_group_id IS NOT NULL) EXECUTE FUNCTION via_partner()`,
  /* sql */ `
CREATE OR REPLACE TRIGGER via_other_partner BEFORE UPDATE OF reserved_entry_group_id ON start_list_entries FOR EACH ROW
  WHEN (NEW.reserved_entry_group_id IS DISTINCT FROM OLD.reserved_entry_group_id) EXECUTE FUNCTION via_partner()`,
  /* sql */ `
CREATE OR REPLACE TRIGGER bookings_via_partner AFTER INSERT ON start_list_entries
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bookings_via_partner()`,
  /* sql */ `
CREATE OR REPLACE TRIGGER booking_via_other_partner AFTER UPDATE OF reserved_entry_group_id ON start_list_entries FOR EACH ROW
  WHEN (NEW.via_partner_id IS DISTINCT FROM OLD.via_partner_id) EXECUTE FUNCTION booking_via_partner()`,
  /* sql */ `
CREATE OR REPLACE TRIGGER via_partner_of_group AFTER UPDATE OF partner_id ON reserved_entry_groups FOR EACH ROW
  WHEN (NEW.partner_id IS DISTINCT FROM OLD.partner_id) EXECUTE FUNCTION via_partner_of_group()`,
];

/**
 * Limits the statements of a transaction that already sees one organization to what a partner sees: settings with the ids, and the schema of the
 * partner's views before the others. The conditions of the views are in \`partner-views.ts\`.
 */
export const ENTER = /* sql */ `
CREATE OR REPLACE FUNCTION enter_partner(organization uuid, partner uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  seen record;
BEGIN
  SELECT array(SELECT p.id FROM partners p WHERE p.organization_id = organization AND (p.id = partner OR p.parent_partner_id = partner))
    INTO seen;
  WITH own AS (
    SELECT g.id, g.event_id, g.event_occurrence_id FROM reserved_entry_groups g
    WHERE g.organization_id = organization AND g.partner_id = ANY (seen.array)
  ), places AS (
    SELECT t.id, t.race_id FROM reserved_entry_group_tickets x
    JOIN tickets t ON t.organization_id = x.organization_id AND t.id = x.ticket_id
    WHERE x.organization_id = organization AND x.reserved_entry_group_id = ANY (array(SELECT id FROM own))
  ), forms AS (
    SELECT f.booking_form_id AS id FROM ticket_booking_forms f
    WHERE f.organization_id = organization AND f.ticket_id = ANY (array(SELECT id FROM places))
  )
  SELECT set_config('startline.partners', seen.array::text, true),
    set_config('startline.partner_groups', array(SELECT id FROM own)::text, true),
    set_config('startline.partner_events', array(SELECT DISTINCT event_id FROM own)::text, true),
    set_config('startline.partner_occurrences', array(SELECT DISTINCT event_occurrence_id FROM own)::text, true),
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
`;

/** Of a partner without a parent: with those of its sub-partners. */
export const OF_PARTNERS = `,
      ('partnerApplications', c.via_top_partner_id, c.via_top_partner_id IS NOT NULL),
      ('partnerApplications', c.via_partner_id, c.via_partner_id <> c.via_top_partner_id),
      ('partnerParticipants', c.via_top_partner_id, c.via_top_partner_id IS NOT NULL AND c.approval_status = 'APPROVED'),
      ('partnerParticipants', c.via_partner_id, c.via_partner_id <> c.via_top_partner_id AND c.approval_status = 'APPROVED')`;

/**
 * For the next migration, which calls it on nodes too. Locks bookings before their entries, as requests do. What is filled shows in
 * no response, and moves no time.
 */
const FILL = {
  signature: 'fill_entries_of_partners(wanted uuid, ids uuid[])',
  returns: 'void',
  body: `
    SELECT set_config('startline.derived', 'on', true);
    SELECT FROM bookings WHERE organization_id = wanted AND id IN (
      SELECT booking_id FROM start_list_entries WHERE organization_id = wanted AND id = ANY (ids))
    ORDER BY id FOR UPDATE;
    UPDATE start_list_entries e SET via_partner_id = p.id, via_top_partner_id = coalesce(p.parent_partner_id, p.id)
    FROM reserved_entry_groups g JOIN partners p ON p.organization_id = g.organization_id AND p.id = g.partner_id
    WHERE e.organization_id = wanted AND e.id = ANY (ids) AND e.via_partner_id IS NULL
      AND g.organization_id = wanted AND g.id = e.reserved_entry_group_id;
    SELECT decide_via_partner(wanted, array(
      SELECT DISTINCT booking_id FROM start_list_entries WHERE organization_id = wanted AND id = ANY (ids)))`,
};
