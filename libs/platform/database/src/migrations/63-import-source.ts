import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The name of the API key of a job, which entries show as their source platform. */
export class ImportSource1795000000063 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE import_jobs ADD COLUMN source text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE import_jobs DROP COLUMN source');
  }
}
