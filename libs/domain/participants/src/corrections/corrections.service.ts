import { Injectable } from '@nestjs/common';
import { checkBib, lockRaceDay } from '#domain/race-day';
import { type Actor, audit, type Caller, changesBetween } from '#platform/access';
import { asOrganization, Database } from '#platform/database';
import {
  brokenAnswers,
  brokenBirthDate,
  brokenName,
  type ImportContext,
  type Problem,
  problem,
  refuseBroken,
  refusedFor,
} from '#platform/import-rows';
import { type JsonText, Reads } from '#platform/queries';
import { JobProducer } from '#platform/queues';
import { errors, IDENTITY_KEYS } from '#platform/validation';
import { lockRacesOfBibs } from '../imported/imported-bibs';
import { ParticipantReferences } from '../imported/participant-references';
import type { Participant } from '../participants.dto';
import { PARTICIPANT } from '../participants.resource';
import { RemainingPlaces } from '../remaining-places';
import { lockPlace, problemOfAddress } from '../transfer/rules-of-group';
import { problemOfReplaced } from './correct-entry';
import { EntryCorrections } from './entry-corrections';
import type { Match } from './match-entries';
import type { ParticipantCorrection } from './participant-correction.dto';
import { type BookingOfEntries, type StoredEntry, storedEntries } from './stored-entries';

/** What a partner can add where it is missing. All other properties are the organizer's. */
const OF_PARTNERS: readonly string[] = [...IDENTITY_KEYS, 'fields'];

/** Corrects one participant with the rules and statements of the correcting import. */
@Injectable()
export class CorrectionsService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly producer: JobProducer,
  ) {}

  /**
   * A partner adds what is missing, and changes nothing that is stored.
   *
   * @throws ApiError 404; 400 if a value cannot be applied, or another participant of the race has the bib; 403 to a partner after the
   * deadline of the group: then nothing changes
   */
  async correct(
    caller: Caller,
    participantId: string,
    given: ParticipantCorrection,
    by: Actor,
  ): Promise<JsonText> {
    if (Object.keys(given).length === 0)
      throw errors.invalidAt('', 'REQUIRED', 'must have a property to change');
    const { organizationId, partner } = caller;
    const denied = Object.keys(given).filter((name) => partner && !OF_PARTNERS.includes(name));
    refuseBroken(denied.map((name) => [name, 'NOT_CORRECTABLE', "can't be changed by a partner"]));
    if (given.metadata && 'startline' in given.metadata)
      throw errors.invalidAt('metadata.startline', 'INVALID_COMBINATION', 'is set by the platform');
    refuseBroken([
      ...brokenBirthDate('dateOfBirth', given.dateOfBirth),
      ...brokenAnswers('fields', given.fields),
    ]);
    const after = { enqueuesRaceDay: false };
    const answer = await this.database.of(caller).transaction(async (manager, reader) => {
      await asOrganization(manager, caller, async () => {
        const { bibNumber } = given;
        const context: ImportContext = {
          ...{ manager, organizationId, after, mode: 'UPDATE', skipCancelled: false },
          ...{ jobId: '', source: null, partnerId: partner?.id ?? null },
        };
        if (bibNumber !== undefined || given.waveId) await lockRaceDay(manager, organizationId);
        const { booking, ...place } = await lockPlace(context, participantId);
        if (place.found.redacted) throw errors.invalid('The participant was redacted');
        if (!booking) throw errors.invalidAt('', 'PARTICIPANT_CANCELLED', 'is cancelled', 'The booking');
        if (bibNumber !== undefined) await checkBib(manager, organizationId, participantId, bibNumber);
        const read = () =>
          this.reads.one(PARTICIPANT, caller, participantId, { extendMetadata: true }, reader);
        const before = await read();
        const wrong = await correctOne(context, { ...place, booking }, participantId, given);
        if (wrong) throw refusedFor(wrong);
        const changes = changesBetween(auditedOf(before), auditedOf(await read()));
        if (changes.length > 0)
          await audit(manager, by, {
            ...{ organizationId, action: 'participant.update', objectType: 'participant' },
            ...{ objectId: participantId, changes },
          });
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
  { booking, found, group }: Awaited<ReturnType<typeof lockPlace>> & { booking: BookingOfEntries },
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
  await lockRacesOfBibs(context, references.racesOfBibs(matches));
  const correction = { row, matches, entries, before: booking, after: booking };
  const corrections = new EntryCorrections(context, references, participantId);
  const wrong =
    corrections.problemOf(correction) ??
    references.problemOf(booking.event_occurrence_id, matches) ??
    (await problemOfWave(context, entry, given.waveId)) ??
    (context.partnerId ? problemOfReplaced(entry, references.answeredByIds(participant)) : undefined) ??
    (group && given.email && !entry.fields.some(({ key, value }) => key === 'email' && value === given.email)
      ? await problemOfAddress(context, found, group, given.email)
      : undefined);
  if (wrong) return wrong;
  await corrections.prepare([correction]);
  const taken = corrections.take(correction);
  if ('code' in taken) return taken;
  await corrections.write();
  return undefined;
}

/** Whoever is moved into another wave needs a place in it (docs/domain-rules.md#moving-entries). */
async function problemOfWave(
  { manager, organizationId }: ImportContext,
  { ticket_id: ticketId, race_id: raceId, wave_id: before }: StoredEntry,
  waveId: string | null | undefined,
): Promise<Problem | undefined> {
  if (!waveId || waveId === before) return undefined;
  const places = await RemainingPlaces.read(manager, organizationId, [{ ticketId, raceId, waveId }]);
  if ((places.leftOf(waveId) ?? 1) > 0) return undefined;
  return problem('waveId', 'NO_CAPACITY_REMAINING', 'has no place left');
}

/** What a correction can change, by the names of its properties and the keys of the questions: `fields.<key>` where they are the same. */
function auditedOf({ pieces }: JsonText): Record<string, unknown> {
  const { fields, bibNumber, waves, team, tags, notes, metadata }: Participant = JSON.parse(
    pieces.map(String).join(''),
  );
  const shown = {
    ...{ bibNumber, wave: waves[0]?.title ?? null, team: team?.name ?? null, tags, notes },
    metadata,
  };
  const answers = fields.map(({ key, value }) => [key in shown ? `fields.${key}` : key, value]);
  return { ...Object.fromEntries(answers), ...shown };
}
