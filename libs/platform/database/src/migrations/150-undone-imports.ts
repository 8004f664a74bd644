import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

const KEY = 'import_jobs_undoes_job_id_fkey';

/** A job that cancels the bookings of another job. */
export class UndoneImports1795000000150 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE import_jobs ADD COLUMN IF NOT EXISTS undoes_job_id uuid');
    const [found] = await queryRunner.query('SELECT convalidated FROM pg_constraint WHERE conname = $1', [
      KEY,
    ]);
    if (!found) {
      await queryRunner.query(`ALTER TABLE import_jobs ADD CONSTRAINT ${KEY}
        FOREIGN KEY (organization_id, undoes_job_id) REFERENCES import_jobs (organization_id, id) NOT VALID`);
    }
    if (!found?.convalidated) await queryRunner.query(`ALTER TABLE import_jobs VALIDATE CONSTRAINT ${KEY}`);
    await createIndexConcurrently(
      queryRunner,
      'import_jobs_undoes_idx',
      'import_jobs (organization_id, undoes_job_id, created_at) WHERE undoes_job_id IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE import_jobs DROP COLUMN IF EXISTS undoes_job_id');
  }
}
