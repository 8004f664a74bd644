import { Injectable } from '@nestjs/common';
import { checkBib, lockRaceDay } from '#domain/race-day';
import { type Actor, audit, type Caller, changesBetween } from '#platform/access';
import { Database, statement } from '#platform/database';
import {
  brokenAnswers,
  brokenBirthDate,
  brokenName,
  type ImportContext,
  type Problem,
  refuseBroken,
  refusedFor,
} from '#platform/import-rows';
import { type JsonText, Reads } from '#platform/queries';
import { JobProducer } from '#platform/queues';
import { errors } from '#platform/validation';
import { lockRacesOfBibs } from '../imported/imported-bibs';
import { ParticipantReferences } from '../imported/participant-references';
import type { Participant } from '../participants.dto';
import { PARTICIPANT } from '../participants.resource';
import { EntryCorrections } from './entry-corrections';
import type { Match } from './match-entries';
import type { ParticipantCorrection } from './participant-correction.dto';
import { type BookingOfEntries, lockBookingOfEntries, storedEntries } from './stored-entries';

const BOOKING_OF = statement({
  parameters: ['uuid', 'uuid'],
  columns: { bookingId: 'uuid', redacted: 'boolean' },
  sql: `
    SELECT booking_id AS "bookingId", gdpr_redacted AS redacted FROM start_list_entries
    WHERE organization_id = $1 AND participant_id = $2 AND approval_status = 'APPROVED'
  `,
});

/** Corrects one participant with the rules and statements of the correcting import. */
@Injectable()
export class CorrectionsService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly producer: JobProducer,
  ) {}

  /**
   * @throws ApiError 404; 400 if a value cannot be applied, or another participant of the race has the bib: then nothing
   * changes
   */
  async correct(
    caller: Caller,
    participantId: string,
    given: ParticipantCorrection,
    by: Actor,
  ): Promise<JsonText> {
    if (Object.keys(given).length === 0)
      throw errors.invalidAt('', 'REQUIRED', 'must have a property to change');
    if (given.metadata && 'startline' in given.metadata)
      throw errors.invalidAt('metadata.startline', 'INVALID_COMBINATION', 'is set by the platform');
    refuseBroken([
      ...brokenBirthDate('dateOfBirth', given.dateOfBirth),
      ...brokenAnswers('fields', given.fields),
    ]);
    const { organizationId } = caller;
    const after = { enqueuesRaceDay: false };
    const answer = await this.database.of(organizationId).transaction(async (manager, reader) => {
      const found = await BOOKING_OF.first(manager, [organizationId, participantId]);
      if (!found) throw errors.notFound();
      if (found.redacted) throw errors.invalid('The participant was redacted');
      const { bibNumber } = given;
      if (bibNumber !== undefined) await lockRaceDay(manager, organizationId);
      const context: ImportContext = {
        ...{ manager, organizationId, after, mode: 'UPDATE', skipCancelled: false },
        ...{ jobId: '', source: null, partnerId: null },
      };
      const booking = await lockBookingOfEntries(context, found.bookingId);
      if (!booking) throw errors.invalidAt('', 'PARTICIPANT_CANCELLED', 'is cancelled', 'The booking');
      if (bibNumber !== undefined) await checkBib(manager, organizationId, participantId, bibNumber);
      const read = () => this.reads.one(PARTICIPANT, caller, participantId, { extendMetadata: true }, reader);
      const before = await read();
      const wrong = await correctOne(context, booking, participantId, given);
      if (wrong) throw refusedFor(wrong);
      const changes = changesBetween(auditedOf(before), auditedOf(await read()));
      if (changes.length > 0)
        await audit(manager, by, {
          ...{ organizationId, action: 'participant.update', objectType: 'participant' },
          ...{ objectId: participantId, changes },
        });
      return this.reads.one(PARTICIPANT, caller, participantId, {}, reader);
    });
    if (after.enqueuesRaceDay) this.producer.enqueue('race-day', { organizationId });
    return answer;
  }
}

/** @returns why the participant was not corrected */
async function correctOne(
  context: ImportContext,
  booking: BookingOfEntries,
  participantId: string,
  given: ParticipantCorrection,
): Promise<Problem | undefined> {
  const entries = (await storedEntries(context, [booking])).get(booking.id) ?? [];
  const entry = entries.find(({ participant_id }) => participant_id === participantId);
  if (!entry) throw errors.notFound();
  if (entry.is_cancelled)
    throw errors.invalidAt('', 'PARTICIPANT_CANCELLED', 'is cancelled', 'The participant');
  if (given.firstName !== undefined || given.lastName !== undefined) {
    const stored = Object.fromEntries(entry.fields.map(({ key, value }) => [key, value]));
    refuseBroken(brokenName('', { ...stored, ...given }));
  }
  const { metadata, notes, ...others } = given;
  const participant = {
    ...others,
    participantNotes: notes,
    ticketId: entry.ticket_id,
  };
  const matches: Match[] = [{ participant, entry, path: '' }];
  const row = { eventOccurrenceId: booking.event_occurrence_id, metadata };
  // The tickets of all entries, because those of a team share units.
  const tickets = entries.map(({ ticket_id: ticketId }) => ({ ticketId }));
  const references = await ParticipantReferences.of(context, [participant, ...tickets]);
  await lockRacesOfBibs(context, references.bibsOf(matches));
  const correction = { row, matches, entries, before: booking, after: booking };
  const corrections = new EntryCorrections(context, references, participantId);
  const wrong =
    corrections.problemOf(correction) ?? references.problemOf(booking.event_occurrence_id, matches);
  if (wrong) return wrong;
  await corrections.prepare([correction]);
  const taken = corrections.take(correction);
  if ('code' in taken) return taken;
  await corrections.write();
  return undefined;
}

/** What a correction can change, by the names of its properties and the keys of the questions. */
function auditedOf({ pieces }: JsonText): Record<string, unknown> {
  const { fields, bibNumber, waves, team, tags, notes, metadata }: Participant = JSON.parse(
    pieces.map(String).join(''),
  );
  return {
    ...Object.fromEntries(fields.map(({ key, value }) => [key, value])),
    ...{ bibNumber, wave: waves[0]?.title ?? null, team: team?.name ?? null, tags, notes },
    metadata,
  };
}
