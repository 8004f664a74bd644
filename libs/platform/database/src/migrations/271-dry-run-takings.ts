import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the chunks of a dry run take: uses of codes, places, bibs. */
export class DryRunTakings1795000000271 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLE);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE dry_run_takings');
  }
}

const TABLE = /* sql */ `
CREATE TABLE dry_run_takings (
  organization_id uuid NOT NULL,
  job_id uuid NOT NULL,
  name bytea NOT NULL,
  value jsonb NOT NULL,
  CONSTRAINT dry_run_takings_pkey PRIMARY KEY (organization_id, job_id, name),
  CONSTRAINT dry_run_takings_job_id_fkey FOREIGN KEY (organization_id, job_id) REFERENCES import_jobs (organization_id, id)
)
`;
