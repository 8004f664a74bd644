import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Timing keys that may read names. */
export class KeysWithNames1795000000136 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys ADD COLUMN names boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys DROP COLUMN names');
  }
}
