import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What timing keys can read about participants. The former release sets `names` of the keys that it makes, and so does this one. */
export class ReadsOfTimingKeys1795000000281 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys ADD COLUMN reads text[]');
    await queryRunner.query(/* sql */ `
      CREATE TRIGGER announce_key_reads AFTER UPDATE OF reads ON api_keys
        FOR EACH ROW EXECUTE FUNCTION announce_access()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER announce_key_reads ON api_keys');
    await queryRunner.query('ALTER TABLE api_keys DROP COLUMN reads');
  }
}
