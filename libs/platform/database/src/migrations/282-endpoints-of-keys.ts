import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The webhook endpoints that keys with permissions made. */
export class EndpointsOfKeys1795000000282 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook_endpoints ADD COLUMN api_key_id uuid');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook_endpoints DROP COLUMN api_key_id');
  }
}
