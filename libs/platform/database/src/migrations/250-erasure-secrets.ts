import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What shows whether ERASURE_SECRET is the one that ids were hashed with. The latest generation counts. */
export class ErasureSecrets1795000000250 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      CREATE TABLE erasure_secrets (
        generation int NOT NULL,
        verification text NOT NULL,
        accepted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT erasure_secrets_pkey PRIMARY KEY (generation)
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE erasure_secrets');
  }
}
