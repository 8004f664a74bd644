import {
  BOOKING_OF_ENTRIES,
  type BookingCorrection,
  bookingsOfEntries,
  EntryCorrections,
  ParticipantReferences,
  RemainingPlaces,
  type StoredEntry,
  storedEntries,
} from '#domain/participants';
import { lockRaceDay } from '#domain/race-day';
import { statement } from '#platform/database';
import {
  failed,
  type ImportContext,
  type ImportHandler,
  Outcomes,
  type Problem,
  problem,
  succeeded,
} from '#platform/import-rows';
import { cancelParticipants } from '../cancel-participants';
import { changeBibs } from './change-bibs';
import { CANCELLED, type ChangeRow, MISSING } from './change-row';
import { type ChangedParticipant, recordChanges } from './record-changes';

const REASON = 'The organizer cancelled the participant.';

const FOUND = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { participantId: 'uuid', bookingId: 'uuid' },
  sql: `
    SELECT participant_id AS "participantId", booking_id AS "bookingId" FROM start_list_entries
    WHERE organization_id = $1 AND participant_id = ANY ($2) AND approval_status = 'APPROVED'
  `,
});

const LOCK_BOOKINGS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: BOOKING_OF_ENTRIES,
  sql: bookingsOfEntries('b.id = ANY ($2) ORDER BY b.id FOR UPDATE OF b'),
});

/** What an undo of the job needs, beside the row that is changed. */
const KEEP_FORMER = statement({
  parameters: ['uuid', 'uuid', 'json'],
  sql: `
    UPDATE import_rows r SET payload = r.payload || jsonb_build_object('formerWaveId', f."waveId")
    FROM json_to_recordset($3::json) f ("row" int, "waveId" uuid)
    WHERE r.organization_id = $1 AND r.job_id = $2 AND r.row_number = f.row
  `,
});

type Changed = { row: number; payload: ChangeRow; correction: BookingCorrection; entry: StoredEntry };

/** Changes participants as a correction or a cancellation of each does. A participant that the change does not fit fails alone. */
export const changeParticipants: ImportHandler<ChangeRow> = async (context, rows) => {
  const { manager, organizationId } = context;
  // All rows of a job have one type.
  if (rows[0]?.payload.change.type === 'BIB') return changeBibs(context, rows);
  const outcomes = new Outcomes(rows);
  const types = new Set(rows.map(({ payload }) => payload.change.type));
  // Before bookings: cancellations need it, and capacities are given out under it.
  if (types.has('CANCEL') || types.has('WAVE')) await lockRaceDay(manager, organizationId);
  const ids = rows.map(({ payload }) => payload.participantId);
  const found = new Map(
    (await FOUND.rows(manager, [organizationId, ids])).map((each) => [each.participantId, each.bookingId]),
  );
  outcomes.refuse(({ participantId }) => (found.has(participantId) ? undefined : MISSING));
  const cancelling = outcomes.open.filter(({ payload }) => payload.change.type === 'CANCEL');
  const cancelled = await cancelParticipants(manager, {
    ...{ organizationId, reason: REASON },
    participantIds: cancelling.map(({ payload }) => payload.participantId),
  });
  context.after.enqueuesRaceDay ||= cancelled.size > 0;
  for (const { row, payload } of cancelling) {
    const { participantId } = payload;
    const outcome = cancelled.has(participantId) ? 'CANCELLED' : 'UNCHANGED';
    outcomes.settle(succeeded(row, outcome, { participantId, bookingId: found.get(participantId) }));
  }
  const changed: ChangedParticipant[] = [...cancelled].map((participantId) => ({ participantId }));
  if (outcomes.open.length > 0) changed.push(...(await correct(context, outcomes, found)));
  const { jobId } = context;
  if (jobId) await recordChanges(manager, { organizationId, jobId }, changed);
  return outcomes.all();
};

async function correct(
  context: ImportContext,
  outcomes: Outcomes<ChangeRow>,
  found: Map<string, string>,
): Promise<ChangedParticipant[]> {
  const { manager, organizationId } = context;
  const bookingIds = outcomes.open.map(({ payload }) => found.get(payload.participantId) as string);
  const bookings = new Map(
    (await LOCK_BOOKINGS.rows(manager, [organizationId, bookingIds])).map((each) => [each.id, each]),
  );
  const entries = await storedEntries(context, bookings.values());
  const changed = outcomes.open.flatMap(({ row, payload }): Changed[] => {
    const booking = bookings.get(found.get(payload.participantId) as string);
    const ofBooking = (booking && entries.get(booking.id)) ?? [];
    const entry = ofBooking.find(({ participant_id }) => participant_id === payload.participantId);
    const wrong = problemOf(payload, entry);
    if (wrong || !booking || !entry) {
      outcomes.settle(failed(row, wrong ?? CANCELLED));
      return [];
    }
    const participant = { ticketId: entry.ticket_id, ...correctionOf(payload, entry) };
    const correction = {
      row: { eventOccurrenceId: booking.event_occurrence_id },
      matches: [{ participant, entry, path: '' }],
      ...{ entries: ofBooking, before: booking, after: booking },
    };
    return [{ row, payload, correction, entry }];
  });
  return write(context, outcomes, changed);
}

async function write(
  context: ImportContext,
  outcomes: Outcomes<ChangeRow>,
  changed: Changed[],
): Promise<ChangedParticipant[]> {
  const { manager, organizationId, jobId } = context;
  const references = await ParticipantReferences.of(
    context,
    changed.flatMap(({ correction }) => [
      ...correction.matches.map(({ participant }) => participant),
      ...correction.entries.map(({ ticket_id: ticketId }) => ({ ticketId })),
    ]),
  );
  const corrections = new EntryCorrections(context, references);
  const waves = changed.flatMap(({ payload }) => payload.change.waveId ?? []);
  const left = await RemainingPlaces.read(
    manager,
    organizationId,
    waves.map((waveId) => ({ ticketId: waveId, raceId: waveId, waveId })),
  );
  const taken = new Map<string, number>();
  const fitting = changed.filter(({ row, payload, correction, entry }) => {
    const { waveId } = payload.change;
    const takes = waveId && waveId !== entry.wave_id ? waveId : undefined;
    const wrong =
      corrections.problemOf(correction) ??
      references.problemOf(correction.row.eventOccurrenceId, correction.matches) ??
      (takes && (left.leftOf(takes) ?? Number.POSITIVE_INFINITY) <= (taken.get(takes) ?? 0)
        ? FULL
        : undefined);
    if (wrong) outcomes.settle(failed(row, wrong));
    else if (takes) taken.set(takes, (taken.get(takes) ?? 0) + 1);
    return !wrong;
  });
  await corrections.prepare(fitting.map(({ correction }) => correction));
  const made: ChangedParticipant[] = [];
  const former: { row: number; waveId: string | null }[] = [];
  for (const { row, payload, correction, entry } of fitting) {
    const { participantId } = payload;
    const { tags, wave_id: waveId } = entry;
    const given = correctionOf(payload, entry);
    const differs = corrections.take(correction);
    const result = { participantId, bookingId: correction.before.id };
    if ('code' in differs) outcomes.settle(failed(row, differs));
    else outcomes.settle(succeeded(row, differs.length > 0 ? 'UPDATED' : 'UNCHANGED', result));
    if (!('code' in differs) && differs.length > 0)
      made.push({
        participantId,
        ...('tags' in given ? { tags: [tags, given.tags] } : { waveId: [waveId, given.waveId] }),
      });
    if (payload.change.type === 'WAVE') former.push({ row, waveId });
  }
  await corrections.write();
  if (former.length > 0 && jobId)
    await KEEP_FORMER.run(manager, [organizationId, jobId, JSON.stringify(former)]);
  return made;
}

const FULL = problem('', 'NO_CAPACITY_REMAINING', 'The wave has no place left.');
const MOST_TAGS = 50;

function problemOf({ change, ifWaveId }: ChangeRow, entry: StoredEntry | undefined): Problem | undefined {
  if (!entry || entry.is_cancelled) return CANCELLED;
  if (entry.gdpr_redacted) return problem('', 'PARTICIPANT_REDACTED', 'The participant was redacted.');
  if (ifWaveId !== undefined && entry.wave_id !== ifWaveId)
    return problem('', 'CHANGED_SINCE_IMPORT', 'The participant has another wave since.');
  const { type, tag = '' } = change;
  if (type === 'TAG' && entry.tags.length >= MOST_TAGS && !entry.tags.includes(tag))
    return problem('', 'TOO_LARGE', `The participant has ${MOST_TAGS} tags, which is the most.`);
  return undefined;
}

function correctionOf(
  { change: { type, tag = '', waveId } }: ChangeRow,
  { tags }: StoredEntry,
): { waveId: string | null } | { tags: string[] } {
  if (type === 'WAVE') return { waveId: waveId ?? null };
  const others = tags.filter((each) => each !== tag);
  if (type === 'UNTAG') return { tags: others };
  return { tags: others.length < tags.length ? tags : [...tags, tag] };
}
