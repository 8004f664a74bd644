import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './create-index-concurrently';

/** The tickets of a partner's entries, for the next migration. */
export class TicketsOfPartners1795000000298 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'start_list_entries_partner_tickets_idx',
      'start_list_entries (organization_id, via_partner_id, ticket_id) WHERE via_partner_id IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS start_list_entries_partner_tickets_idx');
  }
}
