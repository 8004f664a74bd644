import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The bytes of imports that partners sent today. Its foreign keys follow, for distributed databases. */
export class ImportIntakeOfPartners1795000000296 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      CREATE TABLE partner_import_intake (
        organization_id uuid NOT NULL,
        partner_id uuid NOT NULL,
        day date NOT NULL,
        bytes bigint NOT NULL,
        CONSTRAINT partner_import_intake_pkey PRIMARY KEY (organization_id, partner_id)
      )
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE partner_import_intake');
  }
}
