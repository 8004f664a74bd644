import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDefinerFunctions } from './definer';

/** Counts the timing messages from before the triggers. Repeating it changes nothing. */
export class FillTimingCounters1795000000192 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createDefinerFunctions(queryRunner, [FILL]);
    const organizations: { id: string }[] = await queryRunner.query(
      'SELECT id FROM organizations ORDER BY id',
    );
    for (const { id } of organizations) await queryRunner.query('SELECT fill_timing_counters($1)', [id]);
    await queryRunner.query('DROP FUNCTION fill_timing_counters');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      "DELETE FROM tallies WHERE kind IN ('timingPending', 'timingWaiting', 'timingApplied')",
    );
  }
}

/**
 * Adds what the counters lack. Rows and deltas that one transaction writes become visible together, and this statement has a
 * single snapshot, so that the difference is that of earlier rows, whatever is written meanwhile.
 */
const FILL = {
  signature: 'fill_timing_counters(organization uuid)',
  returns: 'void',
  body: `
    INSERT INTO tallies (organization_id, kind, subject_id, delta)
    SELECT organization, counted.kind, counted.id, sum(counted.n) FROM (
      SELECT CASE WHEN m.applied_at IS NULL THEN 'timingPending'
          WHEN m.waiting_for IS NOT NULL THEN 'timingWaiting' ELSE 'timingApplied' END AS kind, subject.id, 1 AS n
      FROM race_day_log m CROSS JOIN LATERAL (VALUES (m.organization_id), (m.api_key_id)) subject (id)
      WHERE m.organization_id = organization AND m.source = 'TIMING' AND subject.id IS NOT NULL
      UNION ALL
      SELECT t.kind, t.subject_id, -t.delta FROM tallies t
      WHERE t.organization_id = organization AND t.kind IN ('timingPending', 'timingWaiting', 'timingApplied')
    ) counted
    GROUP BY 1, 2, 3 HAVING sum(counted.n) <> 0`,
};
