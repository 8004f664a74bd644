import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { problem } from '#libs/bodies';
import { Database, statement } from '#libs/database';
import { errors } from '#libs/errors';
import type { ImportContext } from '#libs/import-rows';
import { BIRTH_DATE_RULE, isBirthDate } from '#libs/input';
import { JobProducer } from '#libs/jobs';
import { checkBib, lockRaceDay } from '#libs/race-day';
import { type JsonText, Reads } from '#libs/resources';
import { PARTICIPANT } from '#libs/start-list';
import { correctStored } from './correct-bookings';
import type { ParticipantCorrection } from './participant-correction.dto';
import type { StartListRow } from './start-list-row.dto';
import {
  lockStoredBooking,
  lockStoredEntries,
  type StoredBooking,
  type StoredEntry,
} from './stored-bookings';

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
  async correct(caller: Caller, participantId: string, given: ParticipantCorrection): Promise<JsonText> {
    if (Object.keys(given).length === 0) throw errors.invalid('The body must have a property to change');
    if (given.metadata && 'startline' in given.metadata)
      throw errors.invalid('metadata.startline is set by the platform');
    const { dateOfBirth } = given;
    if (dateOfBirth && !isBirthDate(dateOfBirth))
      throw errors.invalidBody([problem('dateOfBirth', 'OUT_OF_RANGE', BIRTH_DATE_RULE)]);
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
        ...{ jobId: '', source: null },
      };
      const booking = await lockStoredBooking(context, found.bookingId);
      if (!booking) throw errors.invalid('The booking is cancelled');
      if (bibNumber !== undefined) await checkBib(manager, organizationId, participantId, bibNumber);
      const entries = await lockStoredEntries(context, [booking]);
      const row = rowOf(booking, entries.get(booking.id) ?? [], participantId, given);
      const [outcome] = await correctStored(
        context,
        [{ row: 0, payload: row }],
        new Map([[row.externalBookingId, booking]]),
        { only: participantId },
      );
      if (outcome?.error_message)
        throw errors.invalid(outcome.error_message.replace(/^participants\[\d+\]\./, ''));
      return this.reads.one(PARTICIPANT, caller, participantId, {}, reader);
    });
    if (after.enqueuesRaceDay) this.producer.enqueue('race-day', { organizationId });
    return answer;
  }
}

/** A row with the stored values of the booking, and the given values of one participant. */
function rowOf(
  booking: StoredBooking,
  entries: StoredEntry[],
  participantId: string,
  { metadata, ...given }: ParticipantCorrection,
): StartListRow {
  const { email } = given;
  return {
    externalBookingId: booking.id,
    eventOccurrenceId: booking.event_occurrence_id,
    booker: {
      email: booking.booker_email,
      firstName: booking.booker_first_name,
      lastName: booking.booker_last_name,
    },
    participants: entries.map(({ participant_id, ticket_id, external_participant_id }) => ({
      ticketId: ticket_id,
      externalParticipantId: external_participant_id ?? undefined,
      ...(participant_id === participantId && { ...given, ...(email && { email: email.trim() }) }),
    })),
    ...(metadata && { metadata }),
  } as StartListRow;
}
