import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** For the list of unidentified timing messages: of an organization, and of a key. */
export class UnidentifiedMessages1795000000193 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES)) {
      await createIndexConcurrently(
        queryRunner,
        name,
        `race_day_log (${columns}) WHERE waiting_for IS NOT NULL AND source = 'TIMING'`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES))
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}

const INDEXES = {
  race_day_log_unidentified_idx: 'organization_id, seq',
  race_day_log_unidentified_key_idx: 'organization_id, api_key_id, seq',
};
