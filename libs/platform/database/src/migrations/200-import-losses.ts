import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Connections that a job lost in succession with the same rows. */
export class ImportLosses1795000000200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE import_attempts ADD COLUMN losses integer NOT NULL DEFAULT 0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE import_attempts DROP COLUMN losses');
  }
}
