import type { EntityManager } from 'typeorm';
import { wavesById } from '#domain/catalogue';
import { formUnits, RemainingPlaces } from '#domain/participants';
import { leaveRace, lockBibs, lockRaceDay } from '#domain/race-day';
import { newId, type Row, statement } from '#platform/database';
import { problem, refusedFor } from '#platform/import-rows';
import { errors } from '#platform/validation';
import { insertLineItems } from '../insert-start-list';
import { type KnownBooking, lockBookings, sumLineItems } from '../lock-bookings';
import { lockGroupTicket } from './group-ticket';
import type { ParticipantMove } from './participant-move.dto';

/** The name of the line item with the difference of the prices. */
export const CHANGE_OF_TICKET = 'Change of ticket';

const FIND = statement({
  parameters: ['uuid', 'uuid'],
  columns: { bookingId: 'uuid', groupId: 'uuid?' },
  sql: `
    SELECT booking_id AS "bookingId", reserved_entry_group_id AS "groupId" FROM start_list_entries
    WHERE organization_id = $1 AND participant_id = $2 AND approval_status = 'APPROVED'
  `,
});

/** Those that it leaves and enters. */
const RACES = statement({
  parameters: ['uuid', 'uuid', 'uuid?'],
  columns: { raceId: 'uuid' },
  sql: `
    SELECT race_id AS "raceId" FROM start_list_entries WHERE organization_id = $1 AND participant_id = $2
    UNION
    SELECT race_id FROM tickets WHERE organization_id = $1 AND id = $3
  `,
});

/** Deleted tickets too: whoever has one can leave it. */
const TICKETS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: {
    id: 'uuid',
    eventOccurrenceId: 'uuid',
    raceId: 'uuid',
    price: 'float8',
    currencyCode: 'text',
    isDeleted: 'boolean',
    asksDonation: 'boolean',
  },
  sql: `
    SELECT id, event_occurrence_id AS "eventOccurrenceId", race_id AS "raceId", price_value::float8 AS price,
      currency_code AS "currencyCode", deleted_at IS NOT NULL AS "isDeleted", asks_donation AS "asksDonation"
    FROM tickets WHERE organization_id = $1 AND id = ANY ($2)
  `,
});

/** All entries of the booking, because those of a team share units. */
const LOCK_ENTRIES = statement({
  parameters: ['uuid', 'uuid'],
  columns: {
    id: 'uuid',
    participantId: 'uuid',
    ticketId: 'uuid',
    raceId: 'uuid',
    waveId: 'uuid?',
    holdsReservedPlace: 'boolean',
    isCancelled: 'boolean',
    isRedacted: 'boolean',
  },
  sql: `
    SELECT id, participant_id AS "participantId", ticket_id AS "ticketId", race_id AS "raceId", wave_id AS "waveId",
      holds_reserved_place AS "holdsReservedPlace", cancelled_at IS NOT NULL AS "isCancelled",
      gdpr_redacted AS "isRedacted"
    FROM start_list_entries WHERE organization_id = $1 AND booking_id = $2 ORDER BY id FOR NO KEY UPDATE
  `,
});

const WRITE = statement({
  parameters: ['uuid', 'uuid', 'uuid', 'uuid?'],
  sql: `
    UPDATE start_list_entries e SET ticket_id = t.id, race_id = t.race_id, wave_id = $4, starts_unit = e.starts_unit OR e.ticket_id <> t.id,
      sold_ticket_id = CASE WHEN e.ticket_id = t.id THEN e.sold_ticket_id ELSE coalesce(e.sold_ticket_id, e.ticket_id) END,
      original_price_value = CASE WHEN e.ticket_id = t.id THEN e.original_price_value ELSE t.price_value END,
      original_price_currency = CASE WHEN e.ticket_id = t.id THEN e.original_price_currency ELSE t.currency_code END
    FROM tickets t
    WHERE e.organization_id = $1 AND e.id = $2 AND t.organization_id = e.organization_id AND t.id = $3
  `,
});

/** `hasDonated` is shown, or no longer. */
const ANNOUNCE_DONATION = statement({
  parameters: ['uuid', 'uuid'],
  sql: `SELECT touch_entries($1, ARRAY[$2::uuid], '{hasDonated}')`,
});

/** What the entries of a booking pay for. */
const UNITS = statement({
  parameters: ['uuid', 'uuid', 'uuid[]'],
  columns: { ticketId: 'uuid', units: 'int' },
  sql: `
    SELECT ticket_id AS "ticketId", count(*)::int AS units FROM start_list_entries
    WHERE organization_id = $1 AND booking_id = $2 AND ticket_id = ANY ($3) AND starts_unit AND cancelled_at IS NULL GROUP BY ticket_id
  `,
});

type Ticket = Row<typeof TICKETS>;
type Entry = Row<typeof LOCK_ENTRIES>;

export interface Place {
  ticketId: string;
  raceId: string;
  waveId: string | null;
}

/**
 * Moves a participant to another ticket or wave of the occurrence (docs/domain-rules.md#moving-entries). Another ticket adds a line
 * item `TICKET` with the difference of the prices, also if it is zero. It takes all locks from the race day on, so call it before any
 * other lock. The caller writes the audit record.
 *
 * @returns where it was and is now; undefined if it is there already
 * @throws ApiError 404, also for an entry that is not approved; 400 if it is cancelled or redacted, or can't have the place: the
 *   transaction must be rolled back
 */
export async function moveParticipant(
  manager: EntityManager,
  organizationId: string,
  participantId: string,
  { ticketId, waveId }: ParticipantMove,
): Promise<{ from: Place; to: Place } | undefined> {
  const organization = { manager, organizationId };
  await lockRaceDay(manager, organizationId);
  const found = await FIND.first(manager, [organizationId, participantId]);
  if (!found) throw errors.notFound();
  const { bookingId } = found;
  const booking = (await lockBookings(organization, [{ bookingId }]))({ bookingId }) as KnownBooking;
  const groupTicket = found.groupId && (await lockGroupTicket(manager, organizationId, found.groupId));
  // The lock of the race day keeps the entry in its race: only moves change it.
  const wanted = await RACES.rows(manager, [organizationId, participantId, ticketId ?? null]);
  await lockBibs(
    manager,
    organizationId,
    wanted.map(({ raceId }) => raceId),
  );
  const entries = await LOCK_ENTRIES.rows(manager, [organizationId, bookingId]);
  const entry = entries.find((each) => each.participantId === participantId) as Entry;
  if (entry.isCancelled)
    throw errors.invalidAt('', 'PARTICIPANT_CANCELLED', 'is cancelled', 'The participant');
  if (entry.isRedacted) throw errors.invalid('The participant was redacted');

  const ids = [entry.ticketId, ticketId ?? entry.ticketId];
  const tickets = new Map(
    (await TICKETS.rows(manager, [organizationId, ids])).map((each) => [each.id, each]),
  );
  const [before, after] = ids.map((id) => tickets.get(id)) as [Ticket, Ticket | undefined];
  const isOther = before.id !== after?.id;
  if (!after || (isOther && (after.isDeleted || after.eventOccurrenceId !== booking.eventOccurrenceId)))
    throw refusedFor(problem('ticketId', 'TICKET_NOT_FOUND', 'is not a ticket of the event occurrence'));
  const kept = after.raceId === before.raceId ? entry.waveId : null;
  const from: Place = entry;
  const to = { ticketId: after.id, raceId: after.raceId, waveId: waveId === undefined ? kept : waveId };
  if (!isOther && to.waveId === from.waveId) return undefined;
  if (to.waveId && (await wavesById(organization, [to.waveId])).get(to.waveId)?.raceId !== to.raceId)
    throw refusedFor(problem('waveId', 'WAVE_NOT_FOUND', "is not a wave of the ticket's race"));
  if (isOther && groupTicket) groupTicket.refuse(to.ticketId, entry.holdsReservedPlace);
  const currencyCode = currencyOf(booking, before, after);

  const places = () => RemainingPlaces.read(manager, organizationId, [to]);
  const left = await places();
  const units = () => unitsOf(manager, [organizationId, bookingId, ids]);
  // Only the move is charged, not what has become of the other units since they were sold.
  if (isOther) await formUnits(manager, organizationId, [bookingId]);
  const had = await units();
  if (to.raceId !== from.raceId) await leaveRace(manager, organizationId, participantId, from.raceId);
  await WRITE.run(manager, [organizationId, entry.id, to.ticketId, to.waveId]);
  if (before.asksDonation !== after.asksDonation)
    await ANNOUNCE_DONATION.run(manager, [organizationId, entry.id]);
  if (isOther) {
    await formUnits(manager, organizationId, [bookingId]);
    const has = await units();
    const charged = [before, after].map(({ id, price }) => price * ((has.get(id) ?? 0) - (had.get(id) ?? 0)));
    await charge(organization, { bookingId, participantId, ticketId: to.ticketId }, charged, currencyCode);
  }
  // An entry that takes no place of ticket and race takes one of its wave.
  refuseOverfull(to, left, await places());
  return { from: { ticketId: from.ticketId, raceId: from.raceId, waveId: from.waveId }, to };
}

async function unitsOf(
  manager: EntityManager,
  of: Parameters<typeof UNITS.rows>[1],
): Promise<Map<string, number>> {
  return new Map((await UNITS.rows(manager, of)).map(({ ticketId, units }) => [ticketId, units]));
}

/** A booking has one currency besides ZERO, which is that of what is free. */
function currencyOf(booking: KnownBooking, ...tickets: Ticket[]): string {
  const paid = [booking, ...tickets]
    .map(({ currencyCode }) => currencyCode)
    .filter((code) => code !== 'ZERO');
  const other = paid.find((code) => code !== paid[0]);
  if (other)
    throw refusedFor(
      problem('ticketId', 'CURRENCY_MISMATCH', `is in ${other}, but the booking is in ${paid[0]}`),
    );
  return paid[0] ?? 'ZERO';
}

/** Also if the difference is zero: it says that the entry has moved. */
async function charge(
  organization: { manager: EntityManager; organizationId: string },
  { bookingId, participantId, ticketId }: { bookingId: string; participantId: string; ticketId: string },
  amounts: number[],
  currencyCode: string,
): Promise<void> {
  const item = {
    ...{ id: newId(), booking_id: bookingId, participant_id: participantId, item_type: 'TICKET' as const },
    ...{ name: CHANGE_OF_TICKET, item_id: ticketId, currency_code: currencyCode },
    amount_value: amounts.reduce((sum, amount) => sum + amount, 0),
  };
  await insertLineItems(organization, [item]);
  await sumLineItems(organization, [bookingId]);
}

/** What the move takes must have been left. Where it takes nothing, places that imports gave beyond the capacity do not matter. */
function refuseOverfull(
  { ticketId, raceId, waveId }: Place,
  was: RemainingPlaces,
  is: RemainingPlaces,
): void {
  const isOverfull = (id: string) => (is.leftOf(id) ?? 0) < Math.min(0, was.leftOf(id) ?? 0);
  const full = (path: string, rule: string) => refusedFor(problem(path, 'NO_CAPACITY_REMAINING', rule));
  if (isOverfull(ticketId)) throw full('ticketId', 'has no place left');
  if (isOverfull(raceId)) throw full('ticketId', 'is a ticket of a race that has no place left');
  if (waveId && isOverfull(waveId)) throw full('waveId', 'has no place left');
}
