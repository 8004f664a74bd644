import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** Indexes for the order and the filters of the list of credits, and for the line items that spend a credit. */
const INDEXES: Record<string, string> = {
  credits_created_idx: 'credits (organization_id, created_at, id)',
  credits_event_idx: 'credits (organization_id, event_id, created_at, id) WHERE event_id IS NOT NULL',
  line_items_credit_idx: `line_items (organization_id, item_id) WHERE item_type = 'CREDIT'`,
};

export class ReadCredits1795000000115 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) await createIndexConcurrently(queryRunner, name, on);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await queryRunner.query(`DROP INDEX CONCURRENTLY ${name}`);
  }
}
