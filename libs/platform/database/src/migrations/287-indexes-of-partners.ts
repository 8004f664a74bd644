import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isDistributed } from '../distributed/requirements';
import { createIndexConcurrently } from './create-index-concurrently';

/** The entries of a partner in the orders of the lists. Entries without a partner are not in them. */
export class IndexesOfPartners1795000000287 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) await createIndexConcurrently(queryRunner, name, on);
    await queryRunner.query('DROP FUNCTION IF EXISTS fill_entries_of_partners');
    if (await isDistributed(queryRunner.manager))
      await queryRunner.query('DROP FUNCTION IF EXISTS node.fill_entries_of_partners');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES))
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}

const of = (partner: string, order: string) =>
  `start_list_entries (organization_id, ${partner}, ${order}) WHERE ${partner} IS NOT NULL`;

const INDEXES = {
  start_list_entries_top_partner_created_idx: of('via_top_partner_id', 'created_at, id'),
  start_list_entries_top_partner_updated_idx: of('via_top_partner_id', 'updated_at, id'),
  start_list_entries_partner_created_idx: of('via_partner_id', 'created_at, id'),
  start_list_entries_partner_updated_idx: of('via_partner_id', 'updated_at, id'),
};
