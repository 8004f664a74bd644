import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The started work of a worker, to recognize jobs that crash workers. */
export class ImportAttempts1795000000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      CREATE TABLE import_attempts (
        organization_id uuid NOT NULL,
        job_id uuid NOT NULL,
        worker_id uuid,
        started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        rows integer NOT NULL,
        ends integer NOT NULL DEFAULT 0,
        ends_alone integer NOT NULL DEFAULT 0,
        CONSTRAINT import_attempts_pkey PRIMARY KEY (organization_id, job_id),
        CONSTRAINT import_attempts_job_id_fkey FOREIGN KEY (organization_id, job_id)
          REFERENCES import_jobs (organization_id, id)
      )
    `);
    await queryRunner.query('CREATE INDEX import_attempts_worker_idx ON import_attempts (worker_id)');
    await queryRunner.query('ALTER TABLE import_jobs ADD COLUMN request_id text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE import_jobs DROP COLUMN request_id');
    await queryRunner.query('DROP TABLE import_attempts');
  }
}
