import { type AssignedBib, assignBibs } from '#domain/race-day';
import {
  failed,
  type ImportContext,
  type ImportRow,
  type Problem,
  problem,
  type RowOutcome,
  succeeded,
} from '#platform/import-rows';
import { CANCELLED, type ChangeRow, MISSING } from './change-row';
import { recordChanges } from './record-changes';

const TAKEN = problem(
  '',
  'BIB_NUMBER_TAKEN',
  'Another participant of the race has got the bib. Plan again to give the next free number.',
);
const OTHER_RACE = problem('', 'CHANGED_SINCE_IMPORT', 'The participant is in another race since.');
const OTHER_BIB = problem('', 'CHANGED_SINCE_IMPORT', 'The participant has another bib since, or none.');

const PROBLEMS: Record<Exclude<AssignedBib, 'GIVEN'>, Problem> = {
  ...{ TAKEN, MISSING, OTHER_RACE, CANCELLED },
  HAS_ANOTHER: OTHER_BIB,
};

/**
 * Gives the bibs of a plan, or takes them back. Who has got a bib since the plan keeps it, and nobody else's bib is taken.
 */
export async function changeBibs(
  context: ImportContext,
  rows: ImportRow<ChangeRow>[],
): Promise<RowOutcome[]> {
  const { manager, organizationId, jobId } = context;
  const wanted = rows.map(({ payload: { participantId, raceId = '', change, ifBibNumber = null } }) => ({
    ...{ participantId, raceId, bibNumber: change.bibNumber ?? null, former: ifBibNumber },
  }));
  const found = await assignBibs(manager, organizationId, wanted);
  const given = wanted.filter(({ participantId }) => found.get(participantId) === 'GIVEN');
  context.after.enqueuesRaceDay ||= given.length > 0;
  if (jobId)
    await recordChanges(
      manager,
      { organizationId, jobId },
      given.map(({ participantId, bibNumber, former }) => ({
        participantId,
        bibNumber: [former, bibNumber],
      })),
    );
  return rows.map(({ row, payload: { participantId, change } }) => {
    const outcome = found.get(participantId) ?? 'MISSING';
    if (outcome === 'GIVEN') return succeeded(row, 'UPDATED', { participantId });
    if (outcome === 'HAS_ANOTHER' && change.bibNumber) return succeeded(row, 'UNCHANGED', { participantId });
    return failed(row, PROBLEMS[outcome]);
  });
}
