import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People who work for a partner sign in to the console. The foreign key follows, for distributed databases. */
export class MembersOfPartners1795000000311 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE staff_members ADD COLUMN IF NOT EXISTS partner_id uuid');
    // A member of a partner without the partner would be one of the organizer.
    await queryRunner.query(
      `ALTER TABLE staff_members ADD CONSTRAINT staff_members_partner CHECK ((role = 'PARTNER') = (partner_id IS NOT NULL))`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM staff_sessions s USING staff_members m
      WHERE m.organization_id = s.organization_id AND m.id = s.member_id AND m.role = 'PARTNER'`);
    await queryRunner.query(`
      DELETE FROM staff_links l USING staff_members m
      WHERE m.organization_id = l.organization_id AND m.id = l.member_id AND m.role = 'PARTNER'`);
    await queryRunner.query(`DELETE FROM staff_members WHERE role = 'PARTNER'`);
    await queryRunner.query('ALTER TABLE staff_members DROP CONSTRAINT IF EXISTS staff_members_partner');
    await queryRunner.query('ALTER TABLE staff_members DROP COLUMN IF EXISTS partner_id');
  }
}
