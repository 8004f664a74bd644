import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PartnersOfImportIntake1795000000297 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, key] of KEYS) {
      await queryRunner.query(`ALTER TABLE partner_import_intake DROP CONSTRAINT IF EXISTS ${name}`);
      await queryRunner.query(`ALTER TABLE partner_import_intake ADD CONSTRAINT ${name} ${key} NOT VALID`);
      await queryRunner.query(`ALTER TABLE partner_import_intake VALIDATE CONSTRAINT ${name}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name] of KEYS)
      await queryRunner.query(`ALTER TABLE partner_import_intake DROP CONSTRAINT IF EXISTS ${name}`);
  }
}

const KEYS = [
  [
    'partner_import_intake_organization_id_fkey',
    'FOREIGN KEY (organization_id) REFERENCES organizations (id)',
  ],
  [
    'partner_import_intake_partner_id_fkey',
    'FOREIGN KEY (organization_id, partner_id) REFERENCES partners (organization_id, id)',
  ],
];
