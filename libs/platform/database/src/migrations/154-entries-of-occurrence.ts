import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/**
 * Lists of participants of an occurrence, in both orders. The first also counts them: it has every column of the condition,
 * so that the rows are not read.
 */
const INDEXES: Record<string, string> = {
  participants_occurrence_created_idx: '(organization_id, event_occurrence_id, created_at, participant_id)',
  participants_occurrence_updated_idx: '(organization_id, event_occurrence_id, updated_at, participant_id)',
};

export class EntriesOfOccurrence1795000000154 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES))
      await createIndexConcurrently(
        queryRunner,
        name,
        `start_list_entries ${columns} WHERE approval_status = 'APPROVED'`,
      );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await queryRunner.query(`DROP INDEX CONCURRENTLY ${name}`);
  }
}
