import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';
import { reaches } from './bib-holder.sql';
import { projectParticipants } from './projection';

/** Later than all messages that reach the participant. */
const RELEASE = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    INSERT INTO race_day_log (organization_id, source, changed_at, participant_id, sets_bib, bib_number, applied_at)
    SELECT $1, 'RACE_DAY', greatest(clock_timestamp(), max(l.changed_at) + interval '1 microsecond'), $2, true, NULL, clock_timestamp()
    FROM race_day_log l WHERE l.organization_id = $1 AND l.participant_id = $2 AND ${reaches('l')}
  `,
});

/** The release, and claims that are not linked yet. */
const CLAIMED_IN = statement({
  parameters: ['uuid', 'uuid', 'uuid'],
  sql: `
    UPDATE bib_claims SET race_id = $3 WHERE organization_id = $1 AND participant_id = $2 AND race_id IS NULL
  `,
});

/**
 * Releases the bib of a participant who goes to another race: the next claimant becomes the holder, and messages about the time
 * before still find the participant by the bib. Call it before the entry changes its race. The race day and the bibs of both races
 * must be locked. Enqueue `race-day` after the commit.
 */
export async function leaveRace(
  manager: EntityManager,
  organizationId: string,
  participantId: string,
  raceId: string,
): Promise<void> {
  await RELEASE.run(manager, [organizationId, participantId]);
  await CLAIMED_IN.run(manager, [organizationId, participantId, raceId]);
  await projectParticipants(manager, organizationId, [participantId]);
}
