import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One row for the newest window of a key and operation, which starts with the first use, not with the minute of the
 * clock.
 */
export class RateWindows1795000000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      TRUNCATE rate_windows;
      ALTER TABLE rate_windows DROP CONSTRAINT rate_windows_pkey;
      ALTER TABLE rate_windows ADD CONSTRAINT rate_windows_pkey PRIMARY KEY (api_key_id, endpoint);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      ALTER TABLE rate_windows DROP CONSTRAINT rate_windows_pkey;
      ALTER TABLE rate_windows ADD CONSTRAINT rate_windows_pkey PRIMARY KEY (api_key_id, endpoint, window_start);
    `);
  }
}
