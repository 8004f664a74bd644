import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when a partner can assign, transfer and cancel places of a group. Entries do not show it. */
export class DeadlinesOfGroups1795000000310 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE reserved_entry_groups ADD COLUMN IF NOT EXISTS deadline timestamptz',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const [{ schema }] = await queryRunner.query('SELECT quote_ident(current_schema()) AS schema');
    await queryRunner.query(`DROP VIEW IF EXISTS ${schema}_partner.reserved_entry_groups CASCADE`);
    await queryRunner.query('ALTER TABLE reserved_entry_groups DROP COLUMN IF EXISTS deadline');
  }
}
