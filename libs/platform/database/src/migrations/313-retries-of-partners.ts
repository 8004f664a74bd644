import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a partner last retried a job: a retry after the deadline of a group is too late. */
export class RetriesOfPartners1795000000313 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE import_jobs ADD COLUMN IF NOT EXISTS reopened_at timestamptz');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const [{ schema }] = await queryRunner.query('SELECT quote_ident(current_schema()) AS schema');
    await queryRunner.query(`DROP VIEW IF EXISTS ${schema}_partner.import_jobs CASCADE`);
    await queryRunner.query('ALTER TABLE import_jobs DROP COLUMN IF EXISTS reopened_at');
  }
}
