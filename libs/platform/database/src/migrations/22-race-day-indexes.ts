import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** Each query of race day becomes one index lookup, independent of the size of the log. */
export class RaceDayIndexes1795000000022 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) await createIndexConcurrently(queryRunner, name, on);
    // The longer index of the same columns replaces it.
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS race_day_log_named_by_bib_idx');
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS start_list_entries_claim_idx');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'race_day_log_named_by_bib_idx',
      'race_day_log (organization_id, bib_number, changed_at) WHERE named_by_bib',
    );
    await createIndexConcurrently(
      queryRunner,
      'start_list_entries_claim_idx',
      'start_list_entries (organization_id, race_id, bib_claim) WHERE bib_claim IS NOT NULL',
    );
    for (const name of Object.keys(INDEXES)) await queryRunner.query(`DROP INDEX CONCURRENTLY ${name}`);
  }
}

const INDEXES = {
  // The newest message of each kind about a participant: one bit per field that it sets.
  race_day_log_newest_idx: `race_day_log (organization_id, participant_id,
      (sets_bib::int + (shipping_status IS NOT NULL)::int * 2 + (shipping_carrier IS NOT NULL)::int * 4
        + (tracking_number IS NOT NULL)::int * 8 + (tracking_url IS NOT NULL)::int * 16),
      changed_at, seq)
    WHERE applied_at IS NOT NULL AND waiting_for IS NULL AND (sets_bib OR shipping_status IS NOT NULL)`,
  race_day_log_by_bib_idx: 'race_day_log (organization_id, bib_number, changed_at, seq) WHERE named_by_bib',
  race_day_log_pending_claims_idx:
    'race_day_log (organization_id, bib_number) WHERE sets_bib AND applied_at IS NULL',
  race_day_log_waiting_since_idx: 'race_day_log (applied_at) WHERE waiting_for IS NOT NULL',
  start_list_entries_claimants_idx: `start_list_entries
    (organization_id, race_id, bib_claim, bib_changed_at, participant_id) WHERE bib_claim IS NOT NULL`,
};
