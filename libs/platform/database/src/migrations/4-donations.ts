import type { QueryRunner } from 'typeorm';
import type { Migration } from '.';

const BATCH = 500;

const ORGANIZATIONS = `SELECT DISTINCT organization_id AS id FROM line_items WHERE item_type = 'DONATION'`;

/** $2: the entries whose tickets ask for a donation, or the others. */
const DONATED = /* sql */ `
  UPDATE start_list_entries SET has_donated = true
  WHERE organization_id = $1 AND id = ANY (ARRAY(
    SELECT e.id FROM start_list_entries e
    JOIN tickets t ON t.organization_id = e.organization_id AND t.id = e.ticket_id AND t.asks_donation = $2
    WHERE e.organization_id = $1 AND e.has_donated IS NOT TRUE AND EXISTS (SELECT FROM line_items l
      WHERE l.organization_id = e.organization_id AND l.booking_id = e.booking_id AND l.participant_id = e.participant_id
        AND l.item_type = 'DONATION' AND l.amount_value > 0)
    ORDER BY e.id LIMIT $3 FOR NO KEY UPDATE OF e))`;

/**
 * Entries that had donated before their ticket asked for a donation, or before a move. Where the ticket asks, `hasDonated` changes, and the
 * times move with it. Where it does not, nobody sees it, and they stay.
 */
export class Donations1796000000004 implements Migration {
  transaction = false as const;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const { id } of await queryRunner.query(ORGANIZATIONS))
      for (const asks of [true, false])
        for (let written = BATCH; written === BATCH; ) {
          await queryRunner.startTransaction();
          try {
            if (!asks) await queryRunner.query(`SET LOCAL startline.derived = 'on'`);
            [, written] = await queryRunner.query(DONATED, [id, asks, BATCH]);
            await queryRunner.commitTransaction();
          } catch (error) {
            await queryRunner.rollbackTransaction();
            throw error;
          }
        }
  }
}
