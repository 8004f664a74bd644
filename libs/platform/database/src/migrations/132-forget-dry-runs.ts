import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDefinerFunctions } from './definer';

export class ForgetDryRuns1795000000132 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createDefinerFunctions(queryRunner, [
      // A bounded number, because a dry run can have 10,000 rows, and lists that end at the watermark wait for the
      // transaction.
      {
        signature: 'forget_dry_runs(minutes int, most int)',
        returns: 'int',
        body: `
          WITH expired AS (
            SELECT organization_id, id FROM import_jobs
            WHERE dry_run AND finished_at < clock_timestamp() - make_interval(mins => minutes)
            ORDER BY finished_at LIMIT most FOR UPDATE
          ), attempts AS (
            DELETE FROM import_attempts a USING expired e WHERE a.organization_id = e.organization_id AND a.job_id = e.id
          ), its_rows AS (
            DELETE FROM import_rows r USING expired e WHERE r.organization_id = e.organization_id AND r.job_id = e.id
          ), gone AS (
            DELETE FROM import_jobs j USING expired e
            WHERE j.organization_id = e.organization_id AND j.id = e.id RETURNING 1
          )
          SELECT count(*)::int FROM gone`,
      },
    ]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION forget_dry_runs');
  }
}
