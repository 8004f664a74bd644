import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

const WORDS = 'entry_words(fields, bib_number, email_normalized, external_participant_id)';

const INDEXES: Record<string, string> = {
  // Applications that wait for a decision: few of all entries.
  applications_pending_idx: `start_list_entries (organization_id, created_at, id) WHERE approval_status = 'PENDING'`,
  applications_pending_of_ticket_idx: `start_list_entries (organization_id, ticket_id, created_at, id)
    WHERE approval_status = 'PENDING'`,
  // The search of participants has the other half.
  applications_words_idx: `start_list_entries USING gin (organization_id, ${WORDS}) WITH (gin_pending_list_limit = 256)
    WHERE approval_status <> 'APPROVED'`,
  bookings_discount_code_idx:
    'bookings (organization_id, discount_code_id) WHERE discount_code_id IS NOT NULL',
  discount_codes_partner_idx: 'discount_codes (organization_id, partner_id) WHERE partner_id IS NOT NULL',
};

/** Lists of the console: applications, who used a discount code, and the codes of a partner. */
export class ListsOfOffice1795000000350 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) await createIndexConcurrently(queryRunner, name, on);
    // The index has the words; statistics about them would slow down ANALYZE.
    await queryRunner.query('ALTER INDEX applications_words_idx ALTER COLUMN 2 SET STATISTICS 0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES))
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
