import type { QueryRunner } from 'typeorm';
import { statement } from '#platform/database';

/** The tables of an organization's rows, referring tables first. */
const TABLES = [
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_endpoints',
  'change_events',
  'change_event_feeds',
  'referrals',
  'referrer_owner_bookings',
  'referrers',
  'referral_programs',
  'bib_claims',
  'race_day_fields',
  'race_day_tasks',
  'race_day_folds',
  'race_day_folded',
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
  'organization_versions',
  'api_keys',
  'organization_surfaces',
];
const BLOCKS_PER_BATCH = 2_000;

const DELETE_ORGANIZATION = statement({
  parameters: ['uuid'],
  sql: 'DELETE FROM organizations WHERE id = $1',
});

const BLOCKS = statement({
  parameters: ['text'],
  columns: { blocks: 'int' },
  sql: `SELECT (pg_relation_size($1::text::regclass) / current_setting('block_size')::int)::int AS blocks`,
});

/** Deletes the rows of an interrupted load, in short transactions. */
export async function wipe(runner: QueryRunner, organizationId: string): Promise<void> {
  for (const table of TABLES) {
    const { blocks } = await BLOCKS.one(runner, [table]);
    for (let block = 0; block < blocks; block += BLOCKS_PER_BATCH) {
      await runner.query(
        `DELETE FROM ${table} WHERE organization_id = $1
         AND ctid >= '(${block},0)' AND ctid < '(${block + BLOCKS_PER_BATCH},0)'`,
        [organizationId],
      );
    }
    // Otherwise each deletion in a referenced table would scan the dead rows of this one.
    await runner.query(`VACUUM ${table}`);
  }
  await DELETE_ORGANIZATION.run(runner, [organizationId]);
}
