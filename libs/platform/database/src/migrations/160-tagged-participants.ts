import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the participants with each tag, for the filter by tag. The next migration counts those that exist. */
export class TaggedParticipants1795000000160 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Waits for transactions that counted without tags, so that the next migration sees their rows.
    await queryRunner.query('LOCK TABLE start_list_entries IN SHARE ROW EXCLUSIVE MODE');
    await queryRunner.query(countEntries());
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(countEntries('', ''));
  }
}

/** A counter names its subject by a uuid, so that a tag is named by its hash. A tag that is repeated counts once. */
const TAGGED = `
    UNION ALL
    SELECT c.organization_id, 'taggedParticipants', md5(tagged.tag)::uuid, sum(c.sign)
    FROM (%1$s) c CROSS JOIN LATERAL (SELECT DISTINCT tag FROM unnest(c.tags) tag) tagged
    WHERE c.approval_status = 'APPROVED' AND c.tags <> '{}'
    GROUP BY 1, 2, 3
    HAVING sum(c.sign) <> 0`;

const CHANGES = '(SELECT *, cancelled_at IS NULL AS is_live FROM (%1$s) each)';

/**
 * @param others more counters of an entry
 * @param tagged the counters of tags
 * @param from the changes that are counted, or groups of them
 */
export const countEntries = (others = '', tagged = TAGGED, from = CHANGES) => /* sql */ `
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
    FROM ${from} c
    CROSS JOIN LATERAL (VALUES
      ('applications', c.organization_id, true),
      ('eventApplications', c.event_id, true),
      ('participants', c.organization_id, c.approval_status = 'APPROVED'),
      ('raceParticipants', c.race_id, c.approval_status = 'APPROVED'),
      ('racePlaces', c.race_id, c.approval_status = 'APPROVED' AND c.is_live AND c.takes_place),
      ('ticketPlaces', c.ticket_id,
        c.approval_status = 'APPROVED' AND c.is_live AND c.takes_place AND c.starts_unit)${others}
    ) counted (kind, subject_id, holds)
    WHERE counted.holds
    GROUP BY 1, 2, 3
    HAVING sum(c.sign) <> 0${tagged}
  $sql$, changes);

  FOR place IN EXECUTE format($sql$
    SELECT organization_id, reserved_entry_group_id, ticket_id, sum(sign)::int AS delta
    FROM (%1$s) c WHERE holds_reserved_place AND reserved_entry_group_id IS NOT NULL
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
