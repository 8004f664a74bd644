import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** Find the oldest rows of each organization. They replace indexes of the oldest rows of all organizations. */
export class RetentionIndexes1795000000260 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await exchange(queryRunner, OF_ONE, OF_ALL);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await exchange(queryRunner, OF_ALL, OF_ONE);
  }
}

async function exchange(
  queryRunner: QueryRunner,
  wanted: Record<string, string>,
  unwanted: Record<string, string>,
): Promise<void> {
  for (const [name, on] of Object.entries(wanted)) await createIndexConcurrently(queryRunner, name, on);
  for (const name of Object.keys(unwanted))
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

/** The audit log and the request log have theirs. */
const OF_ONE = {
  idempotency_keys_organization_created_idx: 'idempotency_keys (organization_id, created_at)',
  import_jobs_organization_payloads_idx:
    'import_jobs (organization_id, finished_at, id) WHERE finished_at IS NOT NULL AND emptied_rows < total_rows',
  import_jobs_organization_dry_run_idx: 'import_jobs (organization_id, finished_at) WHERE dry_run',
  race_day_log_organization_waiting_since_idx:
    'race_day_log (organization_id, applied_at) WHERE waiting_for IS NOT NULL',
};

/**
 * The previous release works without them: it compares with a volatile function, so that it reads all rows of a table in which
 * less than a batch has expired.
 */
const OF_ALL = {
  idempotency_keys_created_idx: 'idempotency_keys (created_at)',
  import_jobs_payloads_idx:
    'import_jobs (finished_at, id) WHERE finished_at IS NOT NULL AND emptied_rows < total_rows',
  import_jobs_dry_run_idx: 'import_jobs (finished_at) WHERE dry_run',
  race_day_log_waiting_since_idx: 'race_day_log (applied_at) WHERE waiting_for IS NOT NULL',
  audit_log_at_idx: 'audit_log (at)',
  request_log_at_idx: 'request_log (at)',
};
