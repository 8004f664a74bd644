import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A team ticket counts once per unit instead of once per entry. */
export class Units1795000000061 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE start_list_entries ADD COLUMN starts_unit boolean NOT NULL DEFAULT true',
    );
    await queryRunner.query(countEntries(' AND c.starts_unit'));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(countEntries(''));
    await queryRunner.query('ALTER TABLE start_list_entries DROP COLUMN starts_unit');
  }
}

/** @param unit an additional condition for entries that count as a place of the ticket */
const countEntries = (unit: string) => /* sql */ `
CREATE OR REPLACE FUNCTION count_start_list_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT *, 1 AS sign FROM new_rows'
    WHEN 'DELETE' THEN 'SELECT *, -1 AS sign FROM old_rows'
    ELSE 'SELECT *, 1 AS sign FROM new_rows UNION ALL SELECT *, -1 FROM old_rows'
  END;
  place record;
BEGIN
  EXECUTE format($sql$
    INSERT INTO tallies (organization_id, kind, subject_id, delta)
    SELECT c.organization_id, counted.kind, counted.subject_id, sum(c.sign)
    FROM (%s) c
    CROSS JOIN LATERAL (VALUES
      ('applications', c.organization_id, true),
      ('eventApplications', c.event_id, true),
      ('participants', c.organization_id, c.approval_status = 'APPROVED'),
      ('raceParticipants', c.race_id, c.approval_status = 'APPROVED'),
      ('racePlaces', c.race_id, c.approval_status = 'APPROVED' AND c.cancelled_at IS NULL AND c.takes_place),
      ('ticketPlaces', c.ticket_id, c.approval_status = 'APPROVED' AND c.cancelled_at IS NULL AND c.takes_place${unit})
    ) counted (kind, subject_id, holds)
    WHERE counted.holds
    GROUP BY 1, 2, 3
    HAVING sum(c.sign) <> 0
  $sql$, changes);

  FOR place IN EXECUTE format($sql$
    SELECT organization_id, reserved_entry_group_id, ticket_id, sum(sign)::int AS delta
    FROM (%s) c WHERE holds_reserved_place AND reserved_entry_group_id IS NOT NULL
    GROUP BY 1, 2, 3 HAVING sum(sign) <> 0 ORDER BY 1, 2, 3
  $sql$, changes) LOOP
    UPDATE reserved_entry_groups SET used_capacity = used_capacity + place.delta
      WHERE organization_id = place.organization_id AND id = place.reserved_entry_group_id;
    UPDATE reserved_entry_group_tickets SET used_capacity = used_capacity + place.delta
      WHERE organization_id = place.organization_id
        AND reserved_entry_group_id = place.reserved_entry_group_id AND ticket_id = place.ticket_id;
  END LOOP;
  RETURN NULL;
END $$;
`;
