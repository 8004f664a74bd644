import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** Each partner has external ids of its own for assignments. The zeros are the organizer. */
export class AssignmentsOfPartners1795000000288 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      ALTER TABLE start_list_entries
        ADD COLUMN IF NOT EXISTS assigned_by uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'`);
    await createIndexConcurrently(
      queryRunner,
      'start_list_entries_assigned_idx',
      `start_list_entries (organization_id, external_assignment_id, assigned_by) ${LIVE}`,
      'UNIQUE INDEX',
    );
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS start_list_entries_assignment_idx');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'start_list_entries_assignment_idx',
      `start_list_entries (organization_id, external_assignment_id) ${LIVE}`,
      'UNIQUE INDEX',
    );
    const [{ schema }] = await queryRunner.query('SELECT quote_ident(current_schema()) AS schema');
    await queryRunner.query(/* sql */ `
      DROP INDEX IF EXISTS start_list_entries_assigned_idx;
      DROP SCHEMA IF EXISTS ${schema}_partner CASCADE;
      DROP VIEW IF EXISTS own_start_list_entries;
      ALTER TABLE start_list_entries DROP COLUMN IF EXISTS assigned_by`);
  }
}

const LIVE = 'WHERE cancelled_at IS NULL AND external_assignment_id IS NOT NULL';
