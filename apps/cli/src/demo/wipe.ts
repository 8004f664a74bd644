import type { QueryRunner } from 'typeorm';

/** What rows of an organization there can be, those that refer to others first. */
const TABLES = [
  'referrals',
  'referrer_owner_bookings',
  'referrers',
  'referral_programs',
  'race_day_log',
  'add_on_allocations',
  'line_items',
  'start_list_entries',
  'teams',
  'bookings',
  'credits',
  'discount_codes',
  'reserved_entry_group_tickets',
  'reserved_entry_groups',
  'partner_external_ids',
  'partners',
  'add_on_variants',
  'add_ons',
  'ticket_booking_forms',
  'booking_form_entries',
  'booking_form_fields',
  'booking_forms',
  'tickets',
  'waves',
  'races',
  'event_occurrences',
  'events',
  'tallies',
  'api_keys',
  'organization_surfaces',
];
const BATCH = 20_000;

/** Removes what an interrupted load left of an organization, in modest transactions. */
export async function wipe(runner: QueryRunner, organizationId: string): Promise<void> {
  for (const table of TABLES) {
    let deleted: number;
    do {
      deleted = (
        await runner.query(
          `WITH gone AS (
             DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE organization_id = $1 LIMIT ${BATCH}))
             RETURNING 1
           ) SELECT count(*)::int AS n FROM gone`,
          [organizationId],
        )
      )[0].n;
    } while (deleted === BATCH);
  }
  await runner.query('DELETE FROM organizations WHERE id = $1', [organizationId]);
}
