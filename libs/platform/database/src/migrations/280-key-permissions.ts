import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys with permissions. */
export class KeyPermissions1795000000280 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys ADD COLUMN permissions text[]');
    await queryRunner.query(/* sql */ `
      CREATE TRIGGER announce_key_permissions AFTER UPDATE OF permissions ON api_keys
        FOR EACH ROW EXECUTE FUNCTION announce_access()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER announce_key_permissions ON api_keys');
    await queryRunner.query('ALTER TABLE api_keys DROP COLUMN permissions');
  }
}
