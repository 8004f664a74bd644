import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Dry runs of the parts of one file, which continue each other. */
export class TrialsInParts1795000000370 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE import_jobs ADD COLUMN IF NOT EXISTS trial_job_id uuid');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const [{ schema }] = await queryRunner.query('SELECT quote_ident(current_schema()) AS schema');
    await queryRunner.query(`DROP VIEW IF EXISTS ${schema}_partner.import_jobs CASCADE`);
    await queryRunner.query('ALTER TABLE import_jobs DROP COLUMN IF EXISTS trial_job_id');
  }
}
