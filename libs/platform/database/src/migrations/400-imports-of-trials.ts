import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** Imports of dry runs, the places of imports, and the search of jobs. */
export class ImportsOfTrials1795000000400 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE import_jobs ADD COLUMN IF NOT EXISTS imported_trial_id uuid,
      ADD COLUMN IF NOT EXISTS places jsonb`);
    await createIndexConcurrently(
      queryRunner,
      'import_jobs_imported_trial_idx',
      'import_jobs (organization_id, imported_trial_id) WHERE imported_trial_id IS NOT NULL',
      'UNIQUE INDEX',
    );
    await createIndexConcurrently(
      queryRunner,
      'import_jobs_sender_idx',
      'import_jobs (organization_id, sent_by_member_id) WHERE sent_by_member_id IS NOT NULL',
    );
    // Short pending lists, because each search reads all of them.
    await createIndexConcurrently(
      queryRunner,
      'import_jobs_names_idx',
      `import_jobs USING gin (organization_id, lower(coalesce(name, '') || ' ' || CASE WHEN sent_by_member_id IS NULL THEN coalesce(source, '') ELSE '' END) gin_trgm_ops) WITH (gin_pending_list_limit = 256)`,
    );
    await createIndexConcurrently(
      queryRunner,
      'import_jobs_occurrences_idx',
      'import_jobs USING gin (organization_id, event_occurrence_ids) WITH (gin_pending_list_limit = 256)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const [{ schema }] = await queryRunner.query('SELECT quote_ident(current_schema()) AS schema');
    for (const index of ['names', 'occurrences', 'sender', 'imported_trial'])
      await queryRunner.query(`DROP INDEX IF EXISTS import_jobs_${index}_idx`);
    await queryRunner.query(`DROP VIEW IF EXISTS ${schema}_partner.import_jobs, own_import_jobs CASCADE`);
    await queryRunner.query(
      'ALTER TABLE import_jobs DROP COLUMN IF EXISTS imported_trial_id, DROP COLUMN IF EXISTS places',
    );
  }
}
