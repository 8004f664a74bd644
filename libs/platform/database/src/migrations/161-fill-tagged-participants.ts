import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the tags of participants from before the triggers counted them. Repeating it changes nothing. */
export class FillTaggedParticipants1795000000161 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const organizations: { id: string }[] = await queryRunner.query(
      'SELECT id FROM organizations ORDER BY id',
    );
    for (const { id } of organizations) {
      for (let added = MOST; added === MOST; )
        [{ added }] = (await queryRunner.query(FILL, [id])) as [{ added: number }];
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM tallies WHERE kind = 'taggedParticipants'`);
  }
}

/** Tags of one transaction. */
const MOST = 1_000;

/**
 * Adds what the counters lack. Rows and deltas that one transaction writes become visible together, and this statement has a
 * single snapshot, so that the difference is that of earlier rows, whatever is written meanwhile.
 */
const FILL = /* sql */ `
  WITH added AS (
    INSERT INTO tallies (organization_id, kind, subject_id, delta)
    SELECT $1, 'taggedParticipants', counted.subject_id, sum(counted.n) FROM (
      SELECT md5(tagged.tag)::uuid AS subject_id, 1 AS n
      FROM start_list_entries e CROSS JOIN LATERAL (SELECT DISTINCT tag FROM unnest(e.tags) tag) tagged
      WHERE e.organization_id = $1 AND e.approval_status = 'APPROVED' AND e.tags <> '{}'
      UNION ALL
      SELECT subject_id, -delta FROM tallies WHERE organization_id = $1 AND kind = 'taggedParticipants'
    ) counted
    GROUP BY counted.subject_id
    HAVING sum(counted.n) <> 0
    LIMIT ${MOST}
    RETURNING 1
  )
  SELECT count(*)::int AS added FROM added
`;
