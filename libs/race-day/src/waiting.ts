import type { EntityManager } from 'typeorm';
import { statement } from '#libs/database';

const WAITS_FOR = statement({
  parameters: ['uuid', 'text[]'],
  columns: { waits: 'boolean' },
  sql: `
    SELECT EXISTS (SELECT FROM race_day_log WHERE organization_id = $1 AND waiting_for = ANY ($2::text[]))
      OR EXISTS (SELECT FROM unnest($2::uuid[]) appeared (id) JOIN bib_claims c
        ON c.organization_id = $1 AND c.participant_id = appeared.id AND c.until IS NULL) AS waits
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

/** $1 the maximum number of days that a message waits, $2 the maximum number of messages; oldest first. */
export const FORGET_WAITING = statement({
  parameters: ['float8', 'int'],
  columns: { deleted: 'int' },
  sql: 'SELECT forget_waiting_messages($1, $2) AS deleted',
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
  columns: { organizationId: 'uuid' },
  sql: `
    SELECT id AS "organizationId" FROM organizations_with_race_day_work($1, $2) id
  `,
});
