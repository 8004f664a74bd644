import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ticketsById } from '#domain/catalogue';
import { PLACED_PARTICIPANT, RemainingPlaces } from '#domain/participants';
import { lockRaceDay } from '#domain/race-day';
import { type Actor, audit, type Caller } from '#platform/access';
import { Database } from '#platform/database';
import {
  type ImportContext,
  type Problem,
  problem,
  type RowOutcome,
  refuseBroken,
  refusedFor,
} from '#platform/import-rows';
import { type JsonText, Reads } from '#platform/queries';
import { JobProducer } from '#platform/queues';
import { errors, problem as problemOfBody } from '#platform/validation';
import { bookingsImport } from '../bookings.import';
import { importBookings } from '../import-bookings';
import type { ReportedBooking } from '../new-start-list';
import type { StartListRow } from '../start-list-row.dto';
import type { NewParticipant } from './new-participant.dto';

const IN_ROW = 'participants[0].';
const IN_BODY = 'participant.';

/** Adds participants by hand, with the rules of the import of bookings. */
@Injectable()
export class AddParticipantService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly producer: JobProducer,
  ) {}

  /**
   * @throws ApiError 400 if a value cannot be taken, there is no place left and `beyondCapacity` is not set, or a request with the
   * same `requestId` added somebody with other values
   */
  async add(caller: Caller, given: NewParticipant, by: Actor): Promise<JsonText> {
    const { organizationId } = caller;
    const row = rowOf(given);
    const broken = bookingsImport.broken?.(row) ?? [];
    refuseBroken(broken.map(([path, ...rule]) => [path.replace(IN_ROW, IN_BODY), ...rule]));
    const after = { enqueuesRaceDay: false };
    const answer = await this.database.of(organizationId).transaction(async (manager, reader) => {
      await lockRaceDay(manager, organizationId);
      const full = given.beyondCapacity ? undefined : await problemOfPlace(manager, organizationId, given);
      const context: ImportContext = {
        ...{ manager, organizationId, after, mode: 'CREATE', skipCancelled: false },
        ...{ jobId: null, source: null, partnerId: null },
      };
      const [outcome] = await importBookings(context, [{ row: 0, payload: row }]);
      if (!outcome || outcome.error_code) throw refusedFor(inBody(outcome));
      // A repeated request returns whom the first one added, who can have the last place.
      if (full && outcome.outcome === 'IMPORTED') throw refusedFor(full);
      const { participantIds, bookingId, differs = [] } = outcome.result as unknown as Reported;
      const [participantId = ''] = participantIds;
      if (differs.length > 0) throw errors.invalidBody([{ ...ADDED_BEFORE, participantId }]);
      if (outcome.outcome === 'IMPORTED')
        await audit(manager, by, {
          ...{
            organizationId,
            action: 'participant.add',
            objectType: 'participant',
            objectId: participantId,
          },
          details: { bookingId, beyondCapacity: given.beyondCapacity ?? false },
        });
      return this.reads.one(PLACED_PARTICIPANT, caller, participantId, {}, reader);
    });
    if (after.enqueuesRaceDay) this.producer.enqueue('race-day', { organizationId });
    return answer;
  }
}

/** With where an earlier request with the same id had other values. */
type Reported = ReportedBooking & { differs?: string[] };

const ADDED_BEFORE = problemOfBody(
  'requestId',
  'ALREADY_ADDED',
  'was sent before with other values, and added a participant then; correct that participant instead',
);

/** The participant is the booker. */
function rowOf({ requestId, eventOccurrenceId, participant }: NewParticipant): StartListRow {
  const { firstName, lastName, email } = participant;
  if (!email) throw errors.invalidBody([problemOfBody('participant.email', 'REQUIRED', 'is required')]);
  return {
    externalBookingId: `console-${requestId}`,
    source: 'DASHBOARD',
    eventOccurrenceId,
    booker: { firstName, lastName, email },
    participants: [{ ...participant, email }],
  };
}

async function problemOfPlace(
  manager: EntityManager,
  organizationId: string,
  { participant: { ticketId, waveId = null } }: NewParticipant,
): Promise<Problem | undefined> {
  const ticket = (await ticketsById({ manager, organizationId }, [ticketId])).get(ticketId);
  // The import names what it does not find.
  if (!ticket) return undefined;
  const place = { ticketId, raceId: ticket.raceId, waveId };
  const places = await RemainingPlaces.read(manager, organizationId, [place]);
  if (places.take({ ...place, takesPlace: true, startsUnit: true })) return undefined;
  const isWave = waveId !== null && (places.leftOf(waveId) ?? 1) < 1;
  const path = isWave ? 'participant.waveId' : 'participant.ticketId';
  return problem(path, 'NO_CAPACITY_REMAINING', 'has no place left');
}

/** Why the row was refused, with the path in the request. */
function inBody(outcome: RowOutcome | undefined) {
  const { error_code: code, error_message: message, error_path: path } = outcome ?? {};
  const here = (text: string | null | undefined) => (text ?? '').replace(IN_ROW, IN_BODY);
  return { path: here(path), code: code ?? 'INTERNAL', message: here(message) };
}
