import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** Exact filters of the lists of applications and participants. */
const INDEXES: Record<string, string> = {
  start_list_entries_email_idx: '(organization_id, email_normalized) WHERE email_normalized IS NOT NULL',
  start_list_entries_external_participant_idx:
    '(organization_id, external_participant_id) WHERE external_participant_id IS NOT NULL',
  start_list_entries_bib_idx: '(organization_id, bib_number) WHERE bib_number IS NOT NULL',
};

export class EntryFilters1795000000090 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES))
      await createIndexConcurrently(queryRunner, name, `start_list_entries ${columns}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await queryRunner.query(`DROP INDEX CONCURRENTLY ${name}`);
  }
}
