import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * ANALYZE computed the words of 30,000 participants, which took longer than all its other work, also while an import ran. The
 * only statement that searches for words uses their index anyway.
 */
export class StatisticsOfEntryWords1795000000163 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER INDEX start_list_entries_words_idx ALTER COLUMN 2 SET STATISTICS 0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER INDEX start_list_entries_words_idx ALTER COLUMN 2 SET STATISTICS -1');
  }
}
