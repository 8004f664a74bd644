import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

const COUNTS = `'importJobId', NEW.id, 'surface', NEW.surface, 'status', NEW.status, 'totalRows', NEW.total_rows,
      'succeededRows', NEW.succeeded_rows, 'alreadyImportedRows', NEW.already_imported_rows,
      'cancelledBeforeRows', NEW.cancelled_before_rows, 'failedRows', NEW.failed_rows`;

const announced = (type: string, data: string, when = '') => /* sql */ `
    INSERT INTO change_events (organization_id, id, type, subject_id, data)
    SELECT NEW.organization_id, uuid_v7(), '${type}', NEW.id, jsonb_build_object(${data})
    FROM change_event_feeds f WHERE f.organization_id = NEW.organization_id ${when};`;

const announcing = (name: string, ...statements: string[]) => /* sql */ `
  CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN${statements.join('')}
    RETURN NULL;
  END $$`;

/** An event for imports that people must look at: with failed rows, or that wait unusually long. And the occurrences of jobs. */
export class AttentionOfImports1795000000321 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE import_jobs ADD COLUMN IF NOT EXISTS waiting_since timestamptz,
      ADD COLUMN IF NOT EXISTS event_occurrence_ids uuid[] NOT NULL DEFAULT '{}'`);
    await queryRunner.query(
      announcing(
        'announce_import_finished',
        announced('import.finished', COUNTS),
        announced(
          'import.needs_attention',
          `${COUNTS}, 'reason', 'FAILED_ROWS'`,
          `AND NEW.mode NOT IN ('UNDO', 'CHANGE') AND (NEW.failed_rows > 0 OR NEW.status = 'FAILED')`,
        ),
      ),
    );
    await queryRunner.query(
      announcing(
        'announce_import_waiting',
        announced('import.needs_attention', `${COUNTS}, 'reason', 'WAITING'`),
      ),
    );
    await queryRunner.query(`CREATE OR REPLACE TRIGGER announce_waiting AFTER UPDATE ON import_jobs FOR EACH ROW
      WHEN (OLD.waiting_since IS NULL AND NEW.waiting_since IS NOT NULL AND OLD.status = NEW.status) EXECUTE FUNCTION announce_import_waiting()`);
    await createIndexConcurrently(
      queryRunner,
      'import_jobs_attention_idx',
      `import_jobs (organization_id, finished_at)
        WHERE failed_rows > 0 AND corrects_job_id IS NULL AND NOT dry_run AND mode <> 'UNDO'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const [{ schema }] = await queryRunner.query('SELECT quote_ident(current_schema()) AS schema');
    await queryRunner.query(`DROP TRIGGER IF EXISTS announce_waiting ON import_jobs`);
    await queryRunner.query(`DROP FUNCTION IF EXISTS announce_import_waiting`);
    await queryRunner.query(announcing('announce_import_finished', announced('import.finished', COUNTS)));
    await queryRunner.query(`DROP INDEX IF EXISTS import_jobs_attention_idx`);
    await queryRunner.query(`DROP VIEW IF EXISTS ${schema}_partner.import_jobs CASCADE`);
    await queryRunner.query(
      'ALTER TABLE import_jobs DROP COLUMN IF EXISTS waiting_since, DROP COLUMN IF EXISTS event_occurrence_ids',
    );
  }
}
