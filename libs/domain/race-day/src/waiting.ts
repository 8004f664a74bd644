import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';

const WAITS_FOR = statement({
  parameters: ['uuid', 'text[]'],
  columns: { waits: 'boolean' },
  sql: `
    SELECT EXISTS (SELECT FROM race_day_log WHERE organization_id = $1 AND waiting_for = ANY ($2::text[]))
      OR EXISTS (SELECT FROM unnest($2::uuid[]) appeared (id) WHERE (SELECT true FROM bib_claims c
        WHERE c.organization_id = $1 AND c.participant_id = appeared.id AND c.until IS NULL LIMIT 1)) AS waits
  `,
});

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
  const { waits } = await WAITS_FOR.one(manager, [organizationId, participantIds]);
  return waits;
}

/** Deletes up to $3 messages of an organization that have waited for more than $2 seconds, and returns how many. */
export const FORGET_WAITING = statement({
  parameters: ['uuid', 'float8', 'int'],
  columns: { deleted: 'int' },
  sql: `
    WITH gone AS (
      DELETE FROM race_day_log WHERE organization_id = $1 AND seq IN (
        SELECT seq FROM race_day_log
        WHERE organization_id = $1 AND waiting_for IS NOT NULL
          AND applied_at < statement_timestamp() - make_interval(secs => $2)
        ORDER BY applied_at LIMIT $3::int FOR UPDATE SKIP LOCKED)
      RETURNING 1
    )
    SELECT count(*)::int AS deleted FROM gone
  `,
});

/**
 * Organizations whose race day has work, in the order of their ids. Not prepared: a plan for a nearly empty log would read
 * the whole log every few seconds.
 *
 * @param $1 the id to start after
 * @param $2 the most organizations
 */
export const ORGANIZATIONS_WITH_WORK = statement({
  parameters: ['uuid', 'int'],
  columns: { id: 'uuid' },
  sql: 'SELECT id FROM organizations_with_race_day_work($1, $2) id',
});
