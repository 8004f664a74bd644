import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How staff map the columns of files to fields, for the next file of the same kind. */
export class FileMappings1795000000270 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLE);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE file_mappings');
  }
}

const TABLE = /* sql */ `
CREATE TABLE file_mappings (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  surface text NOT NULL,
  name text NOT NULL,
  fingerprint text NOT NULL,
  mapping jsonb NOT NULL,
  member_id uuid NOT NULL,
  created_at timestamptz DEFAULT clock_timestamp() NOT NULL,
  saved_at timestamptz DEFAULT clock_timestamp() NOT NULL,
  CONSTRAINT file_mappings_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT file_mappings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id),
  CONSTRAINT file_mappings_member_id_fkey FOREIGN KEY (organization_id, member_id)
    REFERENCES staff_members (organization_id, id)
);
CREATE UNIQUE INDEX file_mappings_name_idx ON file_mappings (organization_id, surface, name);
CREATE INDEX file_mappings_created_idx ON file_mappings (organization_id, created_at, id)
`;
