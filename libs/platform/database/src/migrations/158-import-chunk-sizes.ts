import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The size of the next transaction of a job, so that the next turn of any worker continues with it. */
export class ImportChunkSizes1795000000158 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      ALTER TABLE import_jobs
        ADD COLUMN chunk_entries integer,
        ADD COLUMN chunk_conflicts integer NOT NULL DEFAULT 0
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE import_jobs DROP COLUMN chunk_entries, DROP COLUMN chunk_conflicts');
  }
}
