import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';
import { eachPage } from './each-page';

const BY_ENTRY = 'referrals_referrer_id_start_list_entry_id_idx';
const BY_BOOKING = 'referrals_referrer_id_referred_booking_id_key';
const BY_CODE = 'referrers_code_idx';

/** Times the 50 entries that a booking can have: at most 1,000 rows in a transaction. */
const PAGE = 20;

const MISSING_REFERRALS = `
  INSERT INTO referrals (organization_id, id, referrer_id, referred_booking_id, start_list_entry_id, event_id,
    event_occurrence_id, status)
  SELECT r.organization_id, uuid_v7(), r.referrer_id, r.referred_booking_id, e.id, r.event_id, r.event_occurrence_id, r.status
  FROM page r
  JOIN start_list_entries e ON e.organization_id = r.organization_id AND e.booking_id = r.referred_booking_id
  WHERE e.id <> r.start_list_entry_id AND NOT EXISTS (SELECT FROM referrals earlier
    WHERE earlier.organization_id = r.organization_id AND earlier.referred_booking_id = r.referred_booking_id
      AND earlier.referrer_id = r.referrer_id AND earlier.id < r.id)
  ORDER BY r.id, e.participant_index LIMIT 1000
  ON CONFLICT (organization_id, referrer_id, start_list_entry_id) DO NOTHING`;

/** A referred booking has a referral for each of its entries. The case of codes is ignored. */
export class ReferralsOfEntries1795000000060 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const codes = 'referrers (organization_id, referral_program_id, lower(generated_referral_code))';
    await createIndexConcurrently(queryRunner, BY_CODE, codes);
    const entries = 'referrals (organization_id, referrer_id, start_list_entry_id)';
    await createIndexConcurrently(queryRunner, BY_ENTRY, entries, 'UNIQUE INDEX');
    await queryRunner.query(`ALTER TABLE referrals DROP CONSTRAINT IF EXISTS ${BY_BOOKING}`);
    await eachPage(queryRunner, 'referrals', PAGE, MISSING_REFERRALS);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM referrals r USING referrals first
      WHERE first.organization_id = r.organization_id AND first.referrer_id = r.referrer_id
        AND first.referred_booking_id = r.referred_booking_id AND first.id < r.id`);
    const columns = 'organization_id, referrer_id, referred_booking_id';
    await queryRunner.query(`ALTER TABLE referrals ADD CONSTRAINT ${BY_BOOKING} UNIQUE (${columns})`);
    await queryRunner.query(`DROP INDEX CONCURRENTLY ${BY_ENTRY}`);
    await queryRunner.query(`DROP INDEX CONCURRENTLY ${BY_CODE}`);
  }
}
