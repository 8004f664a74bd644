import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An Idempotency-Key of an operation that creates no import job. */
export class IdempotencyWithoutJobs1795000000137 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_keys ALTER COLUMN job_id DROP NOT NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DELETE FROM idempotency_keys WHERE job_id IS NULL');
    await queryRunner.query('ALTER TABLE idempotency_keys ALTER COLUMN job_id SET NOT NULL');
  }
}
