import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One table at a time, because each statement locks its table for a moment. */
export class RaceDayTriggers1795000000021 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const sql of TRIGGERS) await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER record_inserted ON race_day_log');
    await queryRunner.query('DROP TRIGGER record_updated ON race_day_log');
    await queryRunner.query('DROP TRIGGER unlink_claims ON start_list_entries');
    await queryRunner.query('DROP TRIGGER record_arrivals ON start_list_entries');
  }
}

const TRIGGERS = [
  /* sql */ `CREATE OR REPLACE TRIGGER record_inserted AFTER INSERT ON race_day_log
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_race_day_messages()`,
  /* sql */ `CREATE OR REPLACE TRIGGER record_updated AFTER UPDATE ON race_day_log
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
    EXECUTE FUNCTION record_race_day_messages()`,
  /* sql */ `CREATE OR REPLACE TRIGGER unlink_claims AFTER UPDATE OF cancelled_at, approval_status ON start_list_entries
    FOR EACH ROW WHEN (OLD.cancelled_at IS DISTINCT FROM NEW.cancelled_at
      OR OLD.approval_status <> NEW.approval_status)
    EXECUTE FUNCTION unlink_bib_claims()`,
  /* sql */ `CREATE OR REPLACE TRIGGER record_arrivals AFTER INSERT ON start_list_entries
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_arrivals()`,
];
