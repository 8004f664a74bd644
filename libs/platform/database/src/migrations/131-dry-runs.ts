import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** Finds the dry runs to delete. */
export class DryRuns1795000000131 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'import_jobs_dry_run_idx',
      'import_jobs (finished_at) WHERE dry_run',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX import_jobs_dry_run_idx');
  }
}
