import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The search reads the view `own_start_list_entries`, which can use the index in spite of row-level security, and
 * needs no function.
 */
export class SearchByView1795000000142 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION IF EXISTS search_entries');
  }

  async down(): Promise<void> {
    // No code calls it any more.
  }
}
