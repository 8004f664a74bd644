import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

const KEY = 'import_jobs_corrects_job_id_fkey';

/** Jobs that correct failed rows of another job, with their names and the members who sent them. */
export class CorrectionsOfImports1795000000320 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE import_jobs ADD COLUMN IF NOT EXISTS corrects_job_id uuid,
      ADD COLUMN IF NOT EXISTS name text, ADD COLUMN IF NOT EXISTS sent_by_member_id uuid`);
    await queryRunner.query(`ALTER TABLE import_rows ADD COLUMN IF NOT EXISTS corrects_job_id uuid,
      ADD COLUMN IF NOT EXISTS corrects_row int, ADD COLUMN IF NOT EXISTS error_path text`);
    const [found] = await queryRunner.query('SELECT convalidated FROM pg_constraint WHERE conname = $1', [
      KEY,
    ]);
    if (!found) {
      await queryRunner.query(`ALTER TABLE import_jobs ADD CONSTRAINT ${KEY}
        FOREIGN KEY (organization_id, corrects_job_id) REFERENCES import_jobs (organization_id, id) NOT VALID`);
    }
    if (!found?.convalidated) await queryRunner.query(`ALTER TABLE import_jobs VALIDATE CONSTRAINT ${KEY}`);
    await createIndexConcurrently(
      queryRunner,
      'import_jobs_corrects_idx',
      'import_jobs (organization_id, corrects_job_id, created_at) WHERE corrects_job_id IS NOT NULL',
    );
    await createIndexConcurrently(
      queryRunner,
      'import_rows_corrections_idx',
      'import_rows (organization_id, corrects_job_id, corrects_row, job_id) WHERE corrects_job_id IS NOT NULL',
    );
    await createIndexConcurrently(
      queryRunner,
      'import_rows_live_corrections_idx',
      `import_rows (organization_id, corrects_job_id, corrects_row)
        WHERE corrects_job_id IS NOT NULL AND outcome IS DISTINCT FROM 'FAILED'`,
      'UNIQUE INDEX',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const [{ schema }] = await queryRunner.query('SELECT quote_ident(current_schema()) AS schema');
    await queryRunner.query(`DROP VIEW IF EXISTS ${schema}_partner.import_jobs CASCADE`);
    await queryRunner.query(`DROP VIEW IF EXISTS ${schema}_partner.import_rows CASCADE`);
    await queryRunner.query(`ALTER TABLE import_rows DROP COLUMN IF EXISTS corrects_job_id,
      DROP COLUMN IF EXISTS corrects_row, DROP COLUMN IF EXISTS error_path`);
    await queryRunner.query(`ALTER TABLE import_jobs DROP COLUMN IF EXISTS corrects_job_id,
      DROP COLUMN IF EXISTS name, DROP COLUMN IF EXISTS sent_by_member_id`);
  }
}
