import type { MigrationInterface, QueryRunner } from 'typeorm';

const announced = (counts: string) => /* sql */ `
  CREATE OR REPLACE FUNCTION announce_import_finished() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO change_events (organization_id, id, type, subject_id, data)
    SELECT NEW.organization_id, uuid_v7(), 'import.finished', NEW.id, jsonb_build_object('importJobId', NEW.id,
      'surface', NEW.surface, 'status', NEW.status, 'totalRows', NEW.total_rows, 'succeededRows', NEW.succeeded_rows,
      'alreadyImportedRows', NEW.already_imported_rows, ${counts}'failedRows', NEW.failed_rows)
    FROM change_event_feeds f WHERE f.organization_id = NEW.organization_id;
    RETURN NULL;
  END $$
`;

/** The event of a finished import contains all counts of the job. */
export class CountsOfFinishedImports1795000000153 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(announced(`'cancelledBeforeRows', NEW.cancelled_before_rows, `));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(announced(''));
  }
}
