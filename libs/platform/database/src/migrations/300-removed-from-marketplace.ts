import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The marketplace tells its mirrors which occurrences it no longer shows. Those that it never showed are none of their business. */
export class RemovedFromMarketplace1795000000300 implements MigrationInterface {
  transaction = false as const;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE event_occurrences ADD COLUMN IF NOT EXISTS removed_start_date date');
    await queryRunner.query(NOTE_REMOVAL);
    await queryRunner.query(TRIGGER);
    await queryRunner.query(CALLED_OFF_BEFORE);
    await queryRunner.query(TOUCH_CLOSED);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const [{ schema }] = await queryRunner.query('SELECT quote_ident(current_schema()) AS schema');
    await queryRunner.query(`
      DROP VIEW IF EXISTS ${schema}_partner.event_occurrences;
      DROP TRIGGER IF EXISTS close_organization ON organizations;
      DROP TRIGGER IF EXISTS a_note_removal ON event_occurrences;
      DROP FUNCTION IF EXISTS note_removal;
      DROP VIEW IF EXISTS marketplace_races, marketplace_tickets, marketplace_removed, marketplace_occurrences`);
    await queryRunner.query('ALTER TABLE event_occurrences DROP COLUMN IF EXISTS removed_start_date');
  }
}

/** The date that the marketplace showed last, while it does not show the occurrence any more. */
const NOTE_REMOVAL = /* sql */ `
CREATE OR REPLACE FUNCTION note_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.published AND NEW.discoverable AND NEW.called_off IS NULL AND NEW.start_date IS NOT NULL THEN
    NEW.removed_start_date := NULL;
  ELSIF OLD.published AND OLD.discoverable AND OLD.called_off IS NULL AND OLD.start_date IS NOT NULL THEN
    NEW.removed_start_date := OLD.start_date;
  END IF;
  RETURN NEW;
END $$`;

const TRIGGER = /* sql */ `
CREATE OR REPLACE TRIGGER a_note_removal BEFORE UPDATE ON event_occurrences
  FOR EACH ROW EXECUTE FUNCTION note_removal()`;

/** They were shown before they were called off. Their times move, so that mirrors learn of it. */
const CALLED_OFF_BEFORE = /* sql */ `
UPDATE event_occurrences SET removed_start_date = start_date
WHERE published AND discoverable AND called_off IS NOT NULL AND start_date IS NOT NULL AND removed_start_date IS NULL`;

/** The occurrences of a closed organization are removed, and of a reopened one shown again: their times move. */
const TOUCH_CLOSED = /* sql */ `
CREATE OR REPLACE TRIGGER close_organization AFTER UPDATE ON organizations FOR EACH ROW
  WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at) EXECUTE FUNCTION rename_organization()`;
