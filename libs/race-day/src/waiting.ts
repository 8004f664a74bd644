import type { EntityManager } from 'typeorm';
import { applied, bibHolderOf, isKnown } from './bib-holder.sql';

/** Whoever holds one of the rows is dealing with it; the reopening below finds what this leaves out. */
const REOPEN_FOR = /* sql */ `
  UPDATE race_day_log SET applied_at = NULL, waiting_for = NULL
  WHERE organization_id = $1 AND seq = ANY (ARRAY(
    SELECT m.seq FROM race_day_log m
    WHERE m.organization_id = $1 AND m.waiting_for = ANY (
      $2::text[] || ARRAY(
        SELECT 'bib:' || c.bib_number FROM race_day_log c
        WHERE c.organization_id = $1 AND c.participant_id = ANY ($2::uuid[]) AND c.sets_bib AND c.bib_number IS NOT NULL))
    FOR UPDATE SKIP LOCKED))
`;

/**
 * Call it in the transaction in which participants appear (imported, loaded, approved), after their bibs are logged;
 * after it has committed, enqueue `race-day`: the worker then applies what waited for them.
 *
 * @returns whether anything did wait
 */
export async function applyWaiting(
  manager: EntityManager,
  organizationId: string,
  participantIds: readonly string[],
): Promise<boolean> {
  if (participantIds.length === 0) return false;
  const [, reopened]: [unknown[], number] = await manager.query(REOPEN_FOR, [organizationId, participantIds]);
  return reopened > 0;
}

/**
 * Makes those waiting messages pending again whose participant has appeared unseen: it was still being imported
 * when its message was dealt with, and the message when the import looked.
 */
export const REOPEN_WAITING = /* sql */ `
  UPDATE race_day_log l SET applied_at = NULL, waiting_for = NULL
  FROM (
    SELECT m.organization_id, m.seq FROM race_day_log m
    WHERE m.waiting_for IS NOT NULL
      AND CASE WHEN m.named_by_bib THEN ${bibHolderOf('m', applied)} IS NOT NULL ELSE ${isKnown('m')} END
    FOR UPDATE OF m SKIP LOCKED
  ) found
  WHERE l.organization_id = found.organization_id AND l.seq = found.seq
`;

/** @param $1 days that a message waits at most */
export const FORGET_WAITING = /* sql */ `
  DELETE FROM race_day_log l USING (
    SELECT organization_id, seq FROM race_day_log
    WHERE waiting_for IS NOT NULL AND applied_at < clock_timestamp() - make_interval(secs => $1 * 86400)
    FOR UPDATE SKIP LOCKED
  ) gone
  WHERE l.organization_id = gone.organization_id AND l.seq = gone.seq
`;

/** Organizations with pending messages. */
export const PENDING = /* sql */ `
  SELECT DISTINCT organization_id AS "organizationId" FROM race_day_log WHERE applied_at IS NULL
`;
