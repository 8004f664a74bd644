import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One trigger at a time, because each statement locks the log for a moment. */
export class TimingCounterTriggers1795000000191 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, when, rows] of TRIGGERS) {
      await queryRunner.query(/* sql */ `CREATE OR REPLACE TRIGGER ${name} AFTER ${when} ON race_day_log
        REFERENCING ${rows} FOR EACH STATEMENT EXECUTE FUNCTION count_timing_messages()`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name] of TRIGGERS) await queryRunner.query(`DROP TRIGGER ${name} ON race_day_log`);
  }
}

const TRIGGERS = [
  ['count_timing_inserted', 'INSERT', 'NEW TABLE AS new_rows'],
  ['count_timing_updated', 'UPDATE', 'OLD TABLE AS old_rows NEW TABLE AS new_rows'],
  ['count_timing_deleted', 'DELETE', 'OLD TABLE AS old_rows'],
] as const;
