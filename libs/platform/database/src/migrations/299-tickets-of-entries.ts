import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ENTER } from './285-entries-of-partners';

/**
 * A partner sees the ticket of each of its entries, also if its group does not have it (any more). The tickets are found from one to the next
 * by index, so that it costs no more with many entries.
 */
export class TicketsOfEntries1795000000299 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(WITH_ENTRIES);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION enter_partner; ${ENTER}`);
  }
}

const WITH_ENTRIES = /* sql */ `
CREATE OR REPLACE FUNCTION enter_partner(organization uuid, partner uuid) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
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
`;
