import type { MigrationInterface, QueryRunner } from 'typeorm';
import { eachPage } from './each-page';

/** Entries of one booking with the same ticket and team form units of the ticket's size, in order. */
const ENTRIES = `
  UPDATE start_list_entries e SET starts_unit = now.starts_unit, has_donated = now.has_donated
  FROM page p
  JOIN tickets k ON k.organization_id = p.organization_id AND k.id = p.ticket_id
  CROSS JOIN LATERAL (SELECT
    k.unit_size = 1 OR p.reserved_entry_group_id IS NOT NULL OR (
      SELECT count(*) FROM start_list_entries o
      WHERE o.organization_id = p.organization_id AND o.booking_id = p.booking_id AND o.ticket_id = p.ticket_id
        AND o.team_id IS NOT DISTINCT FROM p.team_id AND o.participant_index < p.participant_index) % k.unit_size = 0
      AS starts_unit,
    CASE WHEN p.has_donated THEN EXISTS (
      SELECT FROM line_items l
      WHERE l.organization_id = p.organization_id AND l.booking_id = p.booking_id
        AND l.participant_id = p.participant_id AND l.item_type = 'DONATION' AND l.amount_value > 0) ELSE p.has_donated END AS has_donated) now
  WHERE e.organization_id = p.organization_id AND e.id = p.id AND (k.unit_size > 1 OR p.has_donated)
    AND (e.starts_unit, e.has_donated) IS DISTINCT FROM (now.starts_unit, now.has_donated)`;

const TOTALS = `
  UPDATE bookings b SET total_value = s.total
  FROM (SELECT p.organization_id, p.booking_id, coalesce(sum(l.amount_value), 0) AS total
    FROM (SELECT DISTINCT organization_id, booking_id FROM page
      WHERE purchase_line_item_id IS NOT NULL AND (financial_status <> 'PAID' OR operational_status = 'CANCELLED')) p
    LEFT JOIN line_items l ON l.organization_id = p.organization_id AND l.booking_id = p.booking_id
      AND NOT EXISTS (SELECT FROM add_on_allocations a
        WHERE a.organization_id = l.organization_id AND a.booking_id = l.booking_id AND a.purchase_line_item_id = l.id
          AND (a.financial_status <> 'PAID' OR a.operational_status = 'CANCELLED'))
    GROUP BY 1, 2) s
  WHERE b.organization_id = s.organization_id AND b.id = s.booking_id AND b.total_value <> s.total`;

/**
 * Updates stored rows: which entries start a unit, whether the line items of an entry still have a donation, and
 * totals that counted unpaid add-ons. Charged amounts do not change.
 */
export class StoredMoney1795000000062 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await eachPage(queryRunner, 'start_list_entries', 1_000, ENTRIES);
    await eachPage(queryRunner, 'add_on_allocations', 1_000, TOTALS);
  }

  async down(): Promise<void> {
    // The previous release can still read it.
  }
}
