import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Worker processes that announce themselves. A logged table, because lists on a replica read it. */
export class Workers1795000000135 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      CREATE TABLE workers (
        id uuid NOT NULL,
        host text NOT NULL,
        version text NOT NULL,
        queues text[] NOT NULL,
        started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT workers_pkey PRIMARY KEY (id)
      ) WITH (fillfactor = 50);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE workers');
  }
}
