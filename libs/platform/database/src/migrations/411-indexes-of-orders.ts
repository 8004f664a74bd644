import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

const INDEXES = {
  participants_name_idx: 'entry_name(fields)',
  participants_bib_idx: 'bib_order(bib_number)',
};

export class IndexesOfOrders1795000000411 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, key] of Object.entries(INDEXES)) {
      await createIndexConcurrently(
        queryRunner,
        name,
        `start_list_entries (organization_id, (${key}) COLLATE "C", participant_id) WHERE approval_status = 'APPROVED'`,
      );
      // The index has the keys; statistics about them would slow down ANALYZE.
      await queryRunner.query(`ALTER INDEX ${name} ALTER COLUMN 2 SET STATISTICS 0`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES))
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
