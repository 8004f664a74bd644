import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = "THEN 'tracking' END";
const AFTER = `${BEFORE}, CASE WHEN ROW(o.metadata) IS DISTINCT FROM ROW(n.metadata) THEN 'metadata' END`;

/** Entries that show the metadata of their booking change with it, so that pollers see the change. */
const SHARE = /* sql */ `
  CREATE OR REPLACE FUNCTION share_metadata() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE start_list_entries
    SET metadata = jsonb_set(metadata, '{startline,ofBooking}', to_jsonb((metadata #>> '{startline,ofBooking}')::int + 1))
    WHERE organization_id = NEW.organization_id AND booking_id = NEW.id AND metadata #> '{startline,ofBooking}' IS NOT NULL;
    RETURN NULL;
  END $$
`;
const SHARE_TRIGGER = /* sql */ `
  CREATE OR REPLACE TRIGGER share_metadata AFTER UPDATE ON bookings FOR EACH ROW
  WHEN (OLD.metadata IS DISTINCT FROM NEW.metadata) EXECUTE FUNCTION share_metadata()
`;

/**
 * A booking stores the metadata of its import row once, instead of once with each entry. Bookings that exist keep
 * the metadata of their entries.
 */
export class MetadataOfBookings1795000000210 implements MigrationInterface {
  transaction = false as const;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE bookings ADD COLUMN IF NOT EXISTS metadata jsonb');
    await queryRunner.query(SHARE);
    await queryRunner.query(SHARE_TRIGGER);
    await announce(queryRunner, (sql) => (sql.includes('o.metadata') ? sql : sql.replace(BEFORE, AFTER)));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await announce(queryRunner, (sql) => sql.replace(AFTER, BEFORE));
    await queryRunner.query('DROP FUNCTION IF EXISTS share_metadata CASCADE');
    await queryRunner.query('ALTER TABLE bookings DROP COLUMN IF EXISTS metadata');
  }
}

/** Changes the function that announces changes of bookings, and keeps what other migrations added to it. */
async function announce(queryRunner: QueryRunner, change: (sql: string) => string): Promise<void> {
  const [{ sql }] = await queryRunner.query(
    `SELECT pg_get_functiondef('public.announce_bookings'::regproc) AS sql`,
  );
  await queryRunner.query(change(sql));
}
