import type { EntityManager } from 'typeorm';

const WAITS_FOR = /* sql */ `
  SELECT EXISTS (SELECT FROM race_day_log WHERE organization_id = $1 AND waiting_for = ANY ($2::text[]))
    OR EXISTS (SELECT FROM unnest($2::uuid[]) appeared (id) JOIN bib_claims c
      ON c.organization_id = $1 AND c.participant_id = appeared.id AND c.until IS NULL) AS waits
`;

/**
 * Call it in the transaction that creates participants (import, catalogue, approval), after their bibs are logged. If it
 * returns true, enqueue `race-day` after the commit; otherwise the sweeper does so some seconds later, because triggers
 * have stored a task for the participants and their claims.
 *
 * @returns whether messages wait for the participants, or claims of theirs must be linked
 */
export async function applyWaiting(
  manager: EntityManager,
  organizationId: string,
  participantIds: readonly string[],
): Promise<boolean> {
  if (participantIds.length === 0) return false;
  const [{ waits }] = await manager.query(WAITS_FOR, [organizationId, participantIds]);
  return waits;
}

/**
 * A batch of the oldest messages that have waited too long.
 *
 * @param $1 the most days that a message waits
 * @param $2 the most messages
 */
export const FORGET_WAITING = /* sql */ `
  DELETE FROM race_day_log l USING (
    SELECT organization_id, seq FROM race_day_log
    WHERE waiting_for IS NOT NULL AND applied_at < clock_timestamp() - make_interval(secs => $1 * 86400)
    ORDER BY applied_at LIMIT $2
    FOR UPDATE SKIP LOCKED
  ) gone
  WHERE l.organization_id = gone.organization_id AND l.seq = gone.seq
`;

const after = (row: string) => /* sql */ `least(
  (SELECT l.organization_id FROM race_day_log l WHERE l.applied_at IS NULL AND l.organization_id > ${row}
   ORDER BY l.organization_id, l.seq LIMIT 1),
  (SELECT c.organization_id FROM bib_claims c WHERE c.until IS NULL AND c.organization_id > ${row}
   ORDER BY c.organization_id, c.bib_number, c.changed_at LIMIT 1),
  (SELECT t.organization_id FROM race_day_tasks t WHERE t.organization_id > ${row}
   ORDER BY t.organization_id, t.id LIMIT 1))`;

/**
 * Organizations with race-day work, in the order of their ids, by an index skip scan.
 *
 * @param $1 the id to start after
 * @param $2 the most organizations
 */
export const ORGANIZATIONS_WITH_WORK = /* sql */ `
  WITH RECURSIVE walk AS (
    SELECT ${after('$1::uuid')} AS organization_id, 1 AS place
    UNION ALL
    SELECT ${after('walk.organization_id')}, place + 1 FROM walk
    WHERE organization_id IS NOT NULL AND place < $2
  )
  SELECT organization_id AS "organizationId" FROM walk WHERE organization_id IS NOT NULL
`;
