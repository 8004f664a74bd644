import type { QueryRunner } from 'typeorm';
import type { Migration } from '.';

/** What entries were sold as, before they moved to another ticket. Of entries that moved before, it is not known. */
export class SoldTickets1796000000005 implements Migration {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE start_list_entries ADD COLUMN IF NOT EXISTS sold_ticket_id uuid');
  }
}
