import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

const OF_CHECKOUT = 'referrers_referral_program_id_transaction_id_idx';
const OPEN = 'referral_programs_open_idx';

/**
 * Every booking of an occurrence with a referral program owns a code. Workers create codes for bookings from before
 * the program, and store their progress in the row of the program.
 */
export class ReferralCodes1795000000116 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE referral_programs
      ADD COLUMN IF NOT EXISTS codes_from timestamptz,
      ADD COLUMN IF NOT EXISTS codes_after uuid,
      ADD COLUMN IF NOT EXISTS codes_complete boolean NOT NULL DEFAULT false`);
    await queryRunner.query(`ALTER TABLE referrers
      ADD COLUMN IF NOT EXISTS transaction_id uuid,
      ALTER COLUMN invite_url DROP NOT NULL`);
    const checkouts = 'referrers (organization_id, referral_program_id, transaction_id)';
    await createIndexConcurrently(queryRunner, OF_CHECKOUT, checkouts, 'UNIQUE INDEX');
    const open = 'referral_programs (organization_id, id) WHERE NOT codes_complete';
    await createIndexConcurrently(queryRunner, OPEN, open);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX CONCURRENTLY ${OPEN}`);
    await queryRunner.query(`DROP INDEX CONCURRENTLY ${OF_CHECKOUT}`);
    await queryRunner.query(`UPDATE referrers SET invite_url = '' WHERE invite_url IS NULL`);
    await queryRunner.query(
      `ALTER TABLE referrers DROP COLUMN transaction_id, ALTER COLUMN invite_url SET NOT NULL`,
    );
    await queryRunner.query(`ALTER TABLE referral_programs
      DROP COLUMN codes_from, DROP COLUMN codes_after, DROP COLUMN codes_complete`);
  }
}
