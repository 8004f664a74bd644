import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDefinerFunctions } from './definer';

/** Shared records that changed, until the entries that show them have a new time. The next migration fills it. */
export class PendingRefreshes1795000000170 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLE);
    await createDefinerFunctions(queryRunner, [ORGANIZATIONS]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION organizations_to_refresh; DROP TABLE pending_refreshes');
  }
}

const TABLE = /* sql */ `
CREATE TABLE pending_refreshes (
  organization_id uuid NOT NULL,
  source text NOT NULL,
  source_id uuid NOT NULL,
  event_id uuid,
  changed text[] NOT NULL DEFAULT '{}',
  changed_since text[],
  requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  after_created_at timestamptz,
  after_id uuid,
  CONSTRAINT pending_refreshes_pkey PRIMARY KEY (organization_id, source, source_id)
)`;

const ORGANIZATIONS = {
  signature: 'organizations_to_refresh(most int)',
  returns: 'SETOF uuid',
  body: 'SELECT DISTINCT organization_id FROM pending_refreshes ORDER BY 1 LIMIT most',
};
