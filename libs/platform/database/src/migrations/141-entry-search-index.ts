import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** A short pending list, because each search reads all of it. */
export class EntrySearchIndex1795000000141 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'start_list_entries_words_idx',
      `start_list_entries USING gin (organization_id, entry_words(fields, bib_number, email_normalized, external_participant_id))
        WITH (gin_pending_list_limit = 256) WHERE approval_status = 'APPROVED'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY start_list_entries_words_idx');
  }
}
