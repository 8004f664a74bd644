import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** The open jobs of an organization, and the organizations that have any. */
export class OpenImports1795000000031 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'import_jobs_organization_open_idx',
      "import_jobs (organization_id, created_at, id) WHERE status IN ('QUEUED', 'RUNNING')",
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX import_jobs_organization_open_idx');
  }
}
