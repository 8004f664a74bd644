import type { MigrationInterface, QueryRunner } from 'typeorm';

const NAME = 'staff_members_partner_id_fkey';
const KEY = 'FOREIGN KEY (organization_id, partner_id) REFERENCES partners (organization_id, id)';

export class PartnersOfMembers1795000000312 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE staff_members DROP CONSTRAINT IF EXISTS ${NAME}`);
    await queryRunner.query(`ALTER TABLE staff_members ADD CONSTRAINT ${NAME} ${KEY} NOT VALID`);
    await queryRunner.query(`ALTER TABLE staff_members VALIDATE CONSTRAINT ${NAME}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE staff_members DROP CONSTRAINT IF EXISTS ${NAME}`);
  }
}
