import type { EntityManager } from 'typeorm';
import { applied, bibHolderOf, isKnown } from './bib-holder.sql';
import { projectParticipants } from './projection';

const LOCK = /* sql */ `SELECT pg_advisory_xact_lock(hashtextextended('race-day/' || $1, 0))`;

const TAKE = /* sql */ `
  UPDATE race_day_log l SET applied_at = clock_timestamp()
  WHERE l.organization_id = $1 AND l.seq = ANY (ARRAY(
    SELECT p.seq FROM race_day_log p WHERE p.organization_id = $1 AND p.applied_at IS NULL ORDER BY p.seq LIMIT $2))
  RETURNING l.seq, l.participant_id, l.named_by_bib, l.sets_bib
`;

const LET_WAIT = /* sql */ `
  UPDATE race_day_log l SET waiting_for = l.participant_id
  WHERE l.organization_id = $1 AND l.seq = ANY ($2::bigint[]) AND NOT l.named_by_bib AND NOT ${isKnown('l')}
`;

/** What the participant of message `r` claimed before, or claims after it, apart from the messages at hand. */
const neighbour = (which: 'previous' | 'next') => /* sql */ `
  LEFT JOIN LATERAL (
    SELECT l.bib_number, l.changed_at FROM race_day_log l
    WHERE l.organization_id = r.organization_id AND l.participant_id = r.participant_id AND l.sets_bib
      AND ${applied('l')} AND l.seq <> ALL ($2::bigint[])
      AND (l.changed_at, l.seq) ${which === 'next' ? '>' : '<'} (r.changed_at, r.seq)
    ORDER BY l.changed_at ${which === 'next' ? ', l.seq' : 'DESC, l.seq DESC'} LIMIT 1
  ) ${which} ON true`;

/**
 * Says whom messages that name only a bib are about: those at hand, and those dealt with earlier that a claim at
 * hand may move to somebody else. A claim changes what its participant wore from its own time until their next
 * claim; a first claim also what they had come with.
 */
const NAME_BY_BIB = /* sql */ `
  WITH claims AS (
    SELECT r.bib_number, r.changed_at, previous.changed_at IS NULL AS is_first, previous.bib_number AS previous_bib,
      next.bib_number AS next_bib, next.changed_at AS until
    FROM race_day_log r ${neighbour('previous')} ${neighbour('next')}
    WHERE r.organization_id = $1 AND r.seq = ANY ($2::bigint[]) AND r.sets_bib AND r.waiting_for IS NULL
  ), windows AS (
    SELECT DISTINCT affected.bib, CASE WHEN c.is_first THEN '-infinity' ELSE c.changed_at END AS since, c.until
    FROM claims c
    CROSS JOIN LATERAL (VALUES (c.bib_number), (c.previous_bib), (CASE WHEN c.is_first THEN c.next_bib END)) affected (bib)
    WHERE affected.bib IS NOT NULL
  ), asked AS (
    SELECT m.seq FROM race_day_log m WHERE m.organization_id = $1 AND m.seq = ANY ($2::bigint[]) AND m.named_by_bib
    UNION
    SELECT m.seq FROM windows w JOIN race_day_log m ON m.organization_id = $1 AND m.bib_number = w.bib AND m.named_by_bib
      AND m.changed_at >= w.since AND (w.until IS NULL OR m.changed_at < w.until)
    WHERE m.applied_at IS NOT NULL
  ), answered AS MATERIALIZED (
    SELECT m.seq, m.participant_id AS before, ${bibHolderOf('m', applied)} AS now
    FROM asked JOIN race_day_log m ON m.organization_id = $1 AND m.seq = asked.seq
  )
  UPDATE race_day_log l SET participant_id = a.now, waiting_for = CASE WHEN a.now IS NULL THEN 'bib:' || l.bib_number END
  FROM answered a
  WHERE l.organization_id = $1 AND l.seq = a.seq
    AND (l.participant_id IS DISTINCT FROM a.now OR (l.waiting_for IS NULL) <> (a.now IS NOT NULL))
  RETURNING a.before, a.now
`;

interface Taken {
  seq: string;
  participant_id: string | null;
  named_by_bib: boolean;
  sets_bib: boolean;
}

/**
 * Holds the organization's race day until the transaction ends: of any number of workers one deals with it, and
 * each sees what the one before it did.
 */
export async function lockRaceDay(manager: EntityManager, organizationId: string): Promise<void> {
  await manager.query(LOCK, [organizationId]);
}

/**
 * Deals with the organization's oldest pending messages, within `lockRaceDay`. Killed before its transaction
 * commits, it has done nothing; run again, it finds what is left.
 *
 * @param most how many messages
 * @returns how many there were
 */
export async function applyPending(
  manager: EntityManager,
  organizationId: string,
  most: number,
): Promise<number> {
  const [taken]: [Taken[], number] = await manager.query(TAKE, [organizationId, most]);
  if (taken.length === 0) return 0;
  const touched = new Set(taken.map(({ participant_id }) => participant_id));
  const batch = [organizationId, taken.map(({ seq }) => seq)];
  await manager.query(LET_WAIT, batch);
  if (taken.some(({ named_by_bib, sets_bib }) => named_by_bib || sets_bib)) {
    const [moved]: [{ before: string | null; now: string | null }[], number] = await manager.query(
      NAME_BY_BIB,
      batch,
    );
    for (const { before, now } of moved) touched.add(before).add(now);
  }
  const participantIds = [...touched].filter((id) => id !== null);
  await projectParticipants(manager, organizationId, participantIds);
  return taken.length;
}
