import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDefinerFunctions, type DefinerFunction } from './definer';

/** Deletes up to `most` expired rows per call. Each function returns the number. */
export class RetentionInSteps1795000000126 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createDefinerFunctions(queryRunner, FUNCTIONS);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const names = FUNCTIONS.map(({ signature }) => signature.split('(')[0]);
    await queryRunner.query(`DROP FUNCTION ${names.join(', ')}`);
  }
}

const FUNCTIONS: DefinerFunction[] = [
  {
    signature: 'forget_some_idempotency_keys(minutes int, most int)',
    returns: 'int',
    body: `
      WITH gone AS (
        DELETE FROM idempotency_keys k USING (
          SELECT organization_id, operation, key FROM idempotency_keys
          WHERE created_at < clock_timestamp() - make_interval(mins => minutes)
          ORDER BY created_at LIMIT most FOR UPDATE SKIP LOCKED
        ) old
        WHERE k.organization_id = old.organization_id AND k.operation = old.operation AND k.key = old.key
        RETURNING 1
      )
      SELECT count(*)::int FROM gone`,
  },
  // By organization, so that each event is found by the index.
  {
    signature: 'forget_some_change_events(days int, most int)',
    returns: 'int',
    body: `
      WITH old AS MATERIALIZED (
        SELECT f.organization_id, o.id FROM change_event_feeds f CROSS JOIN LATERAL (
          SELECT e.id FROM change_events e
          WHERE e.organization_id = f.organization_id AND e.occurred_at < clock_timestamp() - make_interval(days => days)
          ORDER BY e.occurred_at LIMIT most
        ) o
        LIMIT most
      ), gone AS (
        DELETE FROM change_events e USING old WHERE e.organization_id = old.organization_id AND e.id = old.id RETURNING 1
      )
      SELECT count(*)::int FROM gone`,
  },
  {
    signature: 'forget_some_webhook_deliveries(days int, most int)',
    returns: 'int',
    body: `
      WITH old AS MATERIALIZED (
        SELECT f.organization_id, o.id FROM change_event_feeds f CROSS JOIN LATERAL (
          SELECT d.id FROM webhook_deliveries d
          WHERE d.organization_id = f.organization_id AND d.created_at < clock_timestamp() - make_interval(days => days)
          ORDER BY d.created_at LIMIT most
        ) o
        LIMIT most
      ), attempts AS (
        DELETE FROM webhook_attempts a USING old WHERE a.organization_id = old.organization_id AND a.delivery_id = old.id
      ), gone AS (
        DELETE FROM webhook_deliveries d USING old
        WHERE d.organization_id = old.organization_id AND d.id = old.id RETURNING 1
      )
      SELECT count(*)::int FROM gone`,
  },
  // The oldest jobs first: one large job, or several small ones with at most `most` rows in total.
  {
    signature: 'forget_import_payloads(days int, most int)',
    returns: 'int',
    body: `
      WITH old AS MATERIALIZED (
        SELECT organization_id, id, finished_at, emptied_rows, least(total_rows - emptied_rows, most) AS step
        FROM import_jobs
        WHERE finished_at < clock_timestamp() - make_interval(days => days) AND emptied_rows < total_rows
        ORDER BY finished_at, id LIMIT most
        FOR NO KEY UPDATE SKIP LOCKED
      ), jobs AS MATERIALIZED (
        SELECT * FROM (SELECT *, sum(step) OVER (ORDER BY finished_at, id) AS total FROM old) counted WHERE total <= most
      ), emptied AS (
        UPDATE import_rows r SET payload = '{}' FROM jobs j
        WHERE r.organization_id = j.organization_id AND r.job_id = j.id
          AND r.row_number >= j.emptied_rows AND r.row_number < j.emptied_rows + j.step AND r.payload <> '{}'
      ), moved AS (
        UPDATE import_jobs i SET emptied_rows = j.emptied_rows + j.step FROM jobs j
        WHERE i.organization_id = j.organization_id AND i.id = j.id
      )
      -- Where a next job did not fit in, there may be more.
      SELECT CASE WHEN (SELECT count(*) FROM jobs) < (SELECT count(*) FROM old) THEN most
        ELSE coalesce((SELECT sum(step) FROM jobs), 0) END::int`,
  },
];
