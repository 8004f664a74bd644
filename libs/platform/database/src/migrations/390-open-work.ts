import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDefinerFunctions, type DefinerFunction } from './definer';

/**
 * What is open, for the number of workers that are wanted. Counts up to `most` rows of each kind. An import that runs does
 * not wait. At most `places` imports of an organization run at the same time.
 */
const OPEN_WORK: DefinerFunction = {
  signature: 'open_work(places int, most int)',
  returns: 'TABLE (queue text, units double precision, parts int, waiting_seconds double precision)',
  body: `
    SELECT 'imports', coalesce(sum(j.rows), 0)::float8,
      coalesce(sum(least(j.jobs, places)), 0)::int,
      coalesce(extract(epoch FROM clock_timestamp() - min(j.oldest)), 0)::float8
    FROM (
      SELECT count(*) AS jobs, min(created_at) FILTER (WHERE status = 'QUEUED') AS oldest,
        sum(total_rows - succeeded_rows - already_imported_rows - cancelled_before_rows - failed_rows) AS rows
      FROM (SELECT * FROM import_jobs WHERE status IN ('QUEUED', 'RUNNING') ORDER BY created_at LIMIT most) open
      GROUP BY organization_id
    ) j
    UNION ALL
    SELECT 'race-day', coalesce(sum(l.messages), 0)::float8, count(*)::int,
      coalesce(extract(epoch FROM clock_timestamp() - min(l.oldest)), 0)::float8
    FROM (
      SELECT organization_id, count(*) AS messages, min(received_at) AS oldest
      FROM (SELECT organization_id, received_at FROM race_day_log WHERE applied_at IS NULL
        ORDER BY organization_id, seq LIMIT most) pending
      GROUP BY organization_id
    ) l
    UNION ALL
    SELECT 'webhooks', coalesce(sum(d.due), 0)::float8, count(*) FILTER (WHERE d.due > 0)::int,
      coalesce(extract(epoch FROM clock_timestamp() - min(d.oldest)), 0)::float8
    FROM webhook_endpoints w CROSS JOIN LATERAL (
      SELECT count(*) AS due, min(next_attempt_at) AS oldest FROM (
        SELECT next_attempt_at FROM webhook_deliveries
        WHERE organization_id = w.organization_id AND endpoint_id = w.id AND state = 'PENDING' AND next_attempt_at <= clock_timestamp()
        ORDER BY next_attempt_at LIMIT least(most, 10000)) due
    ) d
    WHERE w.disabled_at IS NULL AND w.deleted_at IS NULL AND w.failing_since IS NULL`,
};

export class OpenWork1795000000390 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE workers ADD COLUMN IF NOT EXISTS activity jsonb NOT NULL DEFAULT '{}'`,
    );
    await createDefinerFunctions(queryRunner, [OPEN_WORK]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION IF EXISTS open_work(int, int)');
    await queryRunner.query('ALTER TABLE workers DROP COLUMN IF EXISTS activity');
  }
}
