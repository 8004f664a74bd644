import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** The position up to which retention has removed the payloads of a finished job. */
export class EmptiedImportRows1795000000125 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE import_jobs ADD COLUMN IF NOT EXISTS emptied_rows integer NOT NULL DEFAULT 0',
    );
    await createIndexConcurrently(
      queryRunner,
      'import_jobs_payloads_idx',
      'import_jobs (finished_at, id) WHERE finished_at IS NOT NULL AND emptied_rows < total_rows',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX IF EXISTS import_jobs_payloads_idx');
    await queryRunner.query('ALTER TABLE import_jobs DROP COLUMN IF EXISTS emptied_rows');
  }
}
