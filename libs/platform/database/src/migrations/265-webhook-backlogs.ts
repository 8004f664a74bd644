import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDefinerFunctions, type DefinerFunction } from './definer';

/**
 * The position of an endpoint with too many pending deliveries. Workers of the previous release ignore it: while they run, such an
 * endpoint can get events twice.
 */
export class WebhookBacklogs1795000000265 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      ALTER TABLE webhook_endpoints ADD COLUMN behind_at timestamptz, ADD COLUMN behind_id uuid,
        ADD COLUMN missed_until timestamptz`);
    await createDefinerFunctions(queryRunner, FUNCTIONS);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION webhook_endpoints_behind, webhook_endpoints_deleted');
    await queryRunner.query(/* sql */ `
      ALTER TABLE webhook_endpoints DROP COLUMN behind_at, DROP COLUMN behind_id, DROP COLUMN missed_until`);
  }
}

const FUNCTIONS: DefinerFunction[] = [
  // Of each organization the endpoint that is furthest behind, of those with at most so many pending deliveries.
  {
    signature: 'webhook_endpoints_behind(most int)',
    returns: 'TABLE (organization_id uuid, endpoint_id uuid)',
    body: `
      SELECT DISTINCT ON (w.organization_id) w.organization_id, w.id FROM webhook_endpoints w
      WHERE w.behind_at IS NOT NULL AND w.disabled_at IS NULL AND w.deleted_at IS NULL
        AND (SELECT count(*) FROM (
          SELECT FROM webhook_deliveries d
          WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.state = 'PENDING' LIMIT most + 1) pending) <= most
      ORDER BY w.organization_id, w.behind_at, w.id`,
  },
  // Of each organization one. While an endpoint is leased, a run may be sending to it.
  {
    signature: 'webhook_endpoints_deleted()',
    returns: 'TABLE (organization_id uuid, endpoint_id uuid)',
    body: `
      SELECT DISTINCT ON (w.organization_id) w.organization_id, w.id FROM webhook_endpoints w
      WHERE w.deleted_at IS NOT NULL AND (w.leased_until IS NULL OR w.leased_until < clock_timestamp())
      ORDER BY w.organization_id, w.deleted_at, w.id`,
  },
];
