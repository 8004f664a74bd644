import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OrganizationOfImportIntake1795000000213 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      ALTER TABLE import_intake ADD CONSTRAINT import_intake_organization_id_fkey
        FOREIGN KEY (organization_id) REFERENCES organizations (id) NOT VALID
    `);
    await queryRunner.query(
      'ALTER TABLE import_intake VALIDATE CONSTRAINT import_intake_organization_id_fkey',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE import_intake DROP CONSTRAINT import_intake_organization_id_fkey');
  }
}
