import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the bookings of new entries one by one. A join could compare every entry with all bookings of an organization that the
 * statistics do not know yet.
 */
export class PlansOfBookingsOfPartners1795000000430 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(viaPartner(EACH));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(viaPartner(JOINED));
  }
}

const JOINED = 'JOIN bookings b ON b.organization_id = n.organization_id AND b.id = n.booking_id';
/** The limit keeps the subquery from becoming a join. */
const EACH = `CROSS JOIN LATERAL (SELECT via_partner_id, via_top_partner_id FROM bookings
      WHERE organization_id = n.organization_id AND id = n.booking_id LIMIT 1) b`;

const viaPartner = (bookings: string) => /* sql */ `
CREATE OR REPLACE FUNCTION bookings_via_partner() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  other record;
BEGIN
  FOR other IN
    SELECT n.organization_id, array_agg(DISTINCT n.booking_id) AS ids
    FROM new_rows n ${bookings}
    WHERE ROW(b.via_partner_id, b.via_top_partner_id) IS DISTINCT FROM ROW(n.via_partner_id, n.via_top_partner_id)
    GROUP BY n.organization_id
  LOOP
    PERFORM decide_via_partner(other.organization_id, other.ids);
  END LOOP;
  RETURN NULL;
END $$`;
