import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts timing messages by state, for each key and for the organization. The next migrations call it and fill it. */
export class TimingCounters1795000000190 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(COUNT);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION count_timing_messages');
  }
}

/** The counters that messages of `rows` count for, with the sign of their change. */
const counted = (rows: string, sign: number) => /* sql */ `
  SELECT m.organization_id, CASE WHEN m.applied_at IS NULL THEN 'timingPending'
      WHEN m.waiting_for IS NOT NULL THEN 'timingWaiting' ELSE 'timingApplied' END AS kind,
    subject.id, ${sign} AS sign
  FROM ${rows} m CROSS JOIN LATERAL (VALUES (m.organization_id), (m.api_key_id)) subject (id)
  WHERE m.source = 'TIMING' AND subject.id IS NOT NULL`;

const insert = (changes: string) => /* sql */ `
    INSERT INTO tallies (organization_id, kind, subject_id, delta)
    SELECT c.organization_id, c.kind, c.id, sum(c.sign) FROM (${changes}) c
    GROUP BY 1, 2, 3 HAVING sum(c.sign) <> 0`;

/** Messages that are forgotten while they wait do not count as accepted any more; superseded ones that are deleted do. */
const COUNT = /* sql */ `
CREATE FUNCTION count_timing_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN ${insert(counted('new_rows', 1))};
  ELSIF TG_OP = 'UPDATE' THEN ${insert(`${counted('new_rows', 1)} UNION ALL ${counted('old_rows', -1)}`)};
  ELSE ${insert(`SELECT * FROM (${counted('old_rows', -1)}) gone WHERE kind <> 'timingApplied'`)};
  END IF;
  RETURN NULL;
END $$`;
