import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';
import { compared, defineErrors, errors, type Problem, problem } from '#platform/validation';
import { lockRaceDay } from './apply';
import { applyPendingBibs } from './assign-bibs';
import { lockBibs } from './projection';

const refused = (found: Problem) => [400, found.message, {}, [found]] as const;

const refusals = defineErrors({
  bibTaken: (holder: string) => {
    const taken = problem(
      'bibNumber',
      'BIB_NUMBER_TAKEN',
      `is taken: participant ${holder} of the race has it`,
    );
    return refused({ ...taken, participantId: holder });
  },
  cancelled: () =>
    refused({ ...problem('', 'PARTICIPANT_CANCELLED', ''), message: 'The participant is cancelled' }),
});

const ENTRY = statement({
  parameters: ['uuid', 'uuid'],
  columns: { raceId: 'uuid', cancelled: 'boolean' },
  sql: `
    SELECT race_id AS "raceId", cancelled_at IS NOT NULL AS cancelled FROM start_list_entries
    WHERE organization_id = $1 AND participant_id = $2 AND approval_status = 'APPROVED'
  `,
});

/** Another participant of the race who claims the bib: its holder, if another one has it. */
const RIVAL = statement({
  parameters: ['uuid', 'uuid', 'uuid', 'text'],
  columns: { id: 'uuid', hasBib: 'boolean' },
  sql: `
    SELECT participant_id AS id, bib_number IS NOT NULL AS "hasBib" FROM start_list_entries
    WHERE organization_id = $1 AND participant_id <> $2 AND race_id = $3 AND bib_claim = $4 AND cancelled_at IS NULL
    ORDER BY bib_number LIMIT 1
  `,
});

/**
 * Whether staff may give a bib to a participant, or take theirs away (`null`). Applies the pending messages that decide who
 * has the bib, and locks the bibs of the race until the transaction ends: of several callers, one gets the bib. The
 * race day must be locked (`lockRaceDay`), and so must the booking, if the transaction locks it.
 *
 * @returns the race; and whether another participant waits for the bib, which this one has: a new claim would be later, and lose it
 * @throws ApiError 404; 400 with `BIB_NUMBER_TAKEN` and the holder, or with `PARTICIPANT_CANCELLED`
 */
export async function checkBib(
  manager: EntityManager,
  organizationId: string,
  participantId: string,
  bibNumber: string | null,
): Promise<{ raceId: string; isWaitedFor: boolean }> {
  const { raceId } = await requireActive(manager, organizationId, participantId);
  await lockBibs(manager, organizationId, [raceId]);
  await applyPendingBibs(manager, organizationId, [{ participantId, raceId, bibNumber }]);
  if (bibNumber === null) return { raceId, isWaitedFor: false };
  const rival = await RIVAL.first(manager, [organizationId, participantId, raceId, compared(bibNumber)]);
  if (rival?.hasBib) throw refusals.bibTaken(rival.id);
  return { raceId, isWaitedFor: rival !== undefined };
}

/**
 * Appends an update of staff with `append`, after the checks, and applies its bib in the same transaction: the response
 * says what is so.
 *
 * @param bibNumber undefined if the update is not about the bib
 * @param append without a claim of the bib if `claims` is false
 * @throws ApiError as `checkBib`
 */
export async function appendChecked<T>(
  manager: EntityManager,
  organizationId: string,
  participantId: string,
  bibNumber: string | null | undefined,
  append: (claims: boolean) => Promise<T>,
): Promise<T> {
  if (bibNumber === undefined) {
    await requireActive(manager, organizationId, participantId);
    return append(false);
  }
  await lockRaceDay(manager, organizationId);
  const { raceId, isWaitedFor } = await checkBib(manager, organizationId, participantId, bibNumber);
  const appended = await append(!isWaitedFor);
  await applyPendingBibs(manager, organizationId, [{ participantId, raceId, bibNumber }]);
  return appended;
}

async function requireActive(manager: EntityManager, organizationId: string, participantId: string) {
  const entry = await ENTRY.first(manager, [organizationId, participantId]);
  if (!entry) throw errors.notFound();
  if (entry.cancelled) throw refusals.cancelled();
  return entry;
}
