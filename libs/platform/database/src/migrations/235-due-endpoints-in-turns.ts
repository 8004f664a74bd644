import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDefinerFunctions, type DefinerFunction } from './definer';

/** One index lookup per endpoint. */
const dueEndpoints = (found: string, order: string): DefinerFunction => ({
  signature: 'webhook_endpoints_due()',
  returns: 'TABLE (organization_id uuid, endpoint_id uuid)',
  body: `
    SELECT w.organization_id, w.id FROM webhook_endpoints w ${found}
    WHERE w.disabled_at IS NULL AND w.deleted_at IS NULL
      AND (w.leased_until IS NULL OR w.leased_until < clock_timestamp())
    ${order} LIMIT 1000`,
});

const FIRST_DUE = `
  CROSS JOIN LATERAL (
    SELECT d.next_attempt_at AS at FROM webhook_deliveries d
    WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.state = 'PENDING'
      AND d.next_attempt_at <= clock_timestamp()
    ORDER BY d.next_attempt_at LIMIT 1
  ) due`;

/** Organizations in turns, and of each first the endpoint whose delivery has been due for the longest time. */
export class DueEndpointsInTurns1795000000235 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createDefinerFunctions(queryRunner, [
      dueEndpoints(
        FIRST_DUE,
        'ORDER BY row_number() OVER (PARTITION BY w.organization_id ORDER BY due.at), due.at',
      ),
    ]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await createDefinerFunctions(queryRunner, [dueEndpoints(FIRST_DUE, '')]);
  }
}
