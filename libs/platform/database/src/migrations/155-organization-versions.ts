import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDefinerFunctions } from './definer';

/**
 * The version of an organization's data: the sum of random deltas, one for each statement that wrote to a table whose rows
 * responses with an ETag show. Equal sums are the same set of commits, also after a restore or a failover that lost some.
 * Without a surrounding transaction, so that only one table is locked at a time; every statement can be repeated.
 */
export class OrganizationVersions1795000000155 implements MigrationInterface {
  transaction = false as const;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLE);
    await queryRunner.query(functionOf('record_write', 'DISTINCT organization_id FROM changed_rows'));
    await queryRunner.query(functionOf('record_own_write', 'NEW.id AS organization_id'));
    for (const table of TABLES) await queryRunner.query(triggersOf(table));
    await queryRunner.query(OF_ORGANIZATIONS);
    await createDefinerFunctions(queryRunner, [COMPACT]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      for (const event of EVENTS)
        await queryRunner.query(`DROP TRIGGER IF EXISTS version_${event} ON ${table}`);
    await queryRunner.query('DROP TRIGGER IF EXISTS version_own ON organizations');
    await queryRunner.query('DROP FUNCTION IF EXISTS record_write, record_own_write, compact_versions');
    await queryRunner.query('DROP TABLE IF EXISTS organization_versions');
  }
}

/** The tables that responses with an ETag depend on; test/contract/etags compares them with the statements of these responses. */
const TABLES = [
  'add_on_allocations',
  'add_on_variants',
  'add_ons',
  'booking_form_entries',
  'booking_form_fields',
  'booking_forms',
  'bookings',
  'change_events',
  'discount_codes',
  'event_occurrences',
  'events',
  'line_items',
  'partner_external_ids',
  'partners',
  'races',
  'referral_programs',
  'referrals',
  'referrer_owner_bookings',
  'referrers',
  'reserved_entry_group_tickets',
  'reserved_entry_groups',
  'start_list_entries',
  'teams',
  'ticket_booking_forms',
  'tickets',
  'waves',
];

/** A statement is late in its transaction's time: "at" is after every time that its rows got. */
const TABLE = /* sql */ `
CREATE TABLE IF NOT EXISTS organization_versions (
  organization_id uuid NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  delta bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT organization_versions_pkey PRIMARY KEY (organization_id, id)
)`;

/** Sums are taken modulo 2^62. */
const MODULUS = '4611686018427387904';

const functionOf = (name: string, organizations: string) => /* sql */ `
CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO organization_versions (organization_id, delta)
  SELECT organization_id, (random() * ${MODULUS})::bigint FROM (SELECT ${organizations}) changed;
  RETURN NULL;
END $$`;

const EVENTS = ['inserted', 'updated', 'deleted'] as const;

/** Named so that they run after all other triggers of the statement. */
const triggersOf = (table: string): string =>
  EVENTS.map(
    (event) => /* sql */ `
CREATE OR REPLACE TRIGGER version_${event} AFTER ${{ inserted: 'INSERT', updated: 'UPDATE', deleted: 'DELETE' }[event]} ON ${table}
  REFERENCING ${event === 'deleted' ? 'OLD' : 'NEW'} TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_write();`,
  ).join('');

/** Responses show the slug, in links. */
const OF_ORGANIZATIONS = /* sql */ `
CREATE OR REPLACE TRIGGER version_own AFTER UPDATE ON organizations FOR EACH ROW EXECUTE FUNCTION record_own_write()`;

/** As compact_counters: a reader sees either all deltas or their sum. */
const COMPACT = {
  signature: 'compact_versions(crowded int)',
  returns: 'void',
  body: `
    WITH crowds AS (
      SELECT organization_id FROM organization_versions GROUP BY organization_id HAVING count(*) > crowded LIMIT 500
    ), gone AS (
      DELETE FROM organization_versions v USING crowds c WHERE v.organization_id = c.organization_id
      RETURNING v.organization_id, v.delta, v.at
    )
    INSERT INTO organization_versions (organization_id, delta, at)
    SELECT organization_id, (sum(delta) % ${MODULUS})::bigint, max(at) FROM gone GROUP BY organization_id`,
};
