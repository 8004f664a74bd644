import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

const INDEXES = {
  audit_log_object_idx: 'audit_log (organization_id, object_id, at, id)',
  audit_log_changes_idx: 'audit_log (organization_id, at) WHERE changes IS NOT NULL',
};

/** The history of a record, and the oldest values of each organization. */
export class IndexesOfAuditedValues1795000000341 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) await createIndexConcurrently(queryRunner, name, on);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES))
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
