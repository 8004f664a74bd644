import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A dry run changes nothing, so its end has no change event. */
const announced = (more: string) => /* sql */ `
  CREATE OR REPLACE TRIGGER announce_finished AFTER UPDATE ON import_jobs FOR EACH ROW
    WHEN (OLD.status <> NEW.status AND NEW.status IN ('COMPLETED', 'FAILED')${more})
    EXECUTE FUNCTION announce_import_finished()
`;

/** Options of an import request, and the number of skipped rows. */
export class ImportOptions1795000000130 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      ALTER TABLE import_jobs
        ADD COLUMN dry_run boolean NOT NULL DEFAULT false,
        ADD COLUMN skip_cancelled boolean NOT NULL DEFAULT false,
        ADD COLUMN cancelled_before_rows integer NOT NULL DEFAULT 0
    `);
    await queryRunner.query(announced(' AND NOT NEW.dry_run'));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(announced(''));
    await queryRunner.query(/* sql */ `
      ALTER TABLE import_jobs
        DROP COLUMN dry_run, DROP COLUMN skip_cancelled, DROP COLUMN cancelled_before_rows
    `);
  }
}
