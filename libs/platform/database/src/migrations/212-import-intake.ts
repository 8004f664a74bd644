import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The bytes of imports that organizations sent today. Its foreign key follows, for distributed databases. */
export class ImportIntake1795000000212 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      CREATE TABLE import_intake (
        organization_id uuid NOT NULL,
        day date NOT NULL,
        bytes bigint NOT NULL,
        CONSTRAINT import_intake_pkey PRIMARY KEY (organization_id)
      )
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE import_intake');
  }
}
