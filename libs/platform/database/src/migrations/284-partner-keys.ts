import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** Partners of partners, keys of partners, and the import jobs of these keys. Each statement locks one table. */
export class PartnerKeys1795000000284 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS)
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column} uuid`);
    for (const [name, on] of Object.entries(INDEXES)) await createIndexConcurrently(queryRunner, name, on);
  }

  /** Keys of partners are revoked: without the column, they would see the whole organization. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'UPDATE api_keys SET revoked_at = clock_timestamp() WHERE partner_id IS NOT NULL AND revoked_at IS NULL',
    );
    for (const name of Object.keys(INDEXES))
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    for (const [table, column] of COLUMNS)
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN IF EXISTS ${column}`);
  }
}

const COLUMNS = [
  ['partners', 'parent_partner_id'],
  ['import_jobs', 'partner_id'],
  ['api_keys', 'partner_id'],
];

const INDEXES = {
  partners_parent_idx: 'partners (organization_id, parent_partner_id) WHERE parent_partner_id IS NOT NULL',
  reserved_entry_groups_partner_idx:
    'reserved_entry_groups (organization_id, partner_id) WHERE partner_id IS NOT NULL',
};
