import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** The race in which a participant gave up a bib: earlier claims that arrive later belong to it. */
export class ClaimsOfFormerRaces1795000000330 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'bib_claims_left_idx',
      `bib_claims (organization_id, participant_id, changed_at, seq) WHERE bib_number IS NULL AND race_id IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS bib_claims_left_idx');
  }
}
