import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

export class SearchIndexes1795000000005 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // The order of the marketplace; the additional columns allow upcoming events to be counted from the index alone.
    await createIndexConcurrently(
      queryRunner,
      'event_occurrences_marketplace_idx',
      `event_occurrences (start_date, id)
        INCLUDE (time_zone, organization_id) WHERE published AND discoverable`,
    );
    await createIndexConcurrently(
      queryRunner,
      'event_occurrences_search_words_idx',
      'event_occurrences USING gin (search_words)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY event_occurrences_search_words_idx');
    await queryRunner.query('DROP INDEX CONCURRENTLY event_occurrences_marketplace_idx');
  }
}
