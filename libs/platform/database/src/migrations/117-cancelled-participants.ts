import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

const BY_CREATION = 'participants_cancelled_idx';
const OF_RACE = 'participants_race_cancelled_idx';

/** Cancelled participants, for the filter by `status`. They are few; the indexes of the lists find confirmed ones. */
export class CancelledParticipants1795000000117 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const cancelled = `WHERE approval_status = 'APPROVED' AND cancelled_at IS NOT NULL`;
    const created = `start_list_entries (organization_id, created_at, participant_id) ${cancelled}`;
    await createIndexConcurrently(queryRunner, BY_CREATION, created);
    const ofRace = `start_list_entries (organization_id, race_id, created_at, participant_id) ${cancelled}`;
    await createIndexConcurrently(queryRunner, OF_RACE, ofRace);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX CONCURRENTLY ${OF_RACE}`);
    await queryRunner.query(`DROP INDEX CONCURRENTLY ${BY_CREATION}`);
  }
}
