import { type Booking, newId } from '#libs/database';
import { type Basket, DiscountUses, type Taken } from '#libs/discounts';
import type { ImportContext, ImportHandler } from '#libs/import-rows';
import { failed, NONE, Outcomes, problem, succeeded } from '#libs/import-rows';
import { instantOf } from '#libs/input';
import {
  appear,
  type BibClaim,
  claimedAt,
  lockRacesOfBibs,
  logBibs,
  normalizeEmail,
  takenBibs,
  teamKey,
  teamsByName,
} from '#libs/start-list';
import { BookingReferences } from './booking-references';
import type { BookingImportRow, ImportedParticipant } from './booking-row.dto';
import {
  discountLineItem,
  insertStartList,
  type NewBooking,
  type NewEntry,
  type NewLineItem,
  startline,
  ticketLineItem,
} from './insert-start-list';
import { currencyOf, type EntryPrice } from './prices';

/** The booking that an id belongs to; with $3 also the last cancelled one that it belonged to. */
const EXISTING = /* sql */ `
  SELECT DISTINCT ON (b.external_booking_id) b.external_booking_id AS "externalBookingId", b.id AS "bookingId", b.status,
    array(SELECT e.participant_id FROM start_list_entries e
      WHERE e.organization_id = b.organization_id AND e.booking_id = b.id ORDER BY e.participant_index) AS "participantIds"
  FROM bookings b
  WHERE b.organization_id = $1 AND b.external_booking_id = ANY ($2) AND (b.status = 'CONFIRMED' OR $3)
  ORDER BY b.external_booking_id, b.status = 'CONFIRMED' DESC, b.created_at DESC, b.id DESC
`;

interface Reported {
  externalBookingId: string;
  bookingId: string;
  participantIds: string[];
}

/** Bookings of a sale made elsewhere: they pass capacities, sale dates and required answers, but count in them. */
export const importBookings: ImportHandler<BookingImportRow> = async (context, rows) => {
  const outcomes = new Outcomes(rows);
  const payloads = rows.map(({ payload }) => payload);
  const references = await BookingReferences.of(context, payloads);
  // What is scarce is held before we look who is there already: a row that another job brings meanwhile, with its
  // bib and its use of a code, is found there and not in its own way.
  const discounts = await DiscountUses.lock(
    context,
    payloads.map(({ discountCode }) => discountCode),
  );
  await lockRacesOfBibs(
    context,
    payloads.flatMap((payload) => references.bibsOf(payload)),
  );
  const existing: (Reported & Pick<Booking, 'status'>)[] = await context.manager.query(EXISTING, [
    context.organizationId,
    payloads.map(({ externalBookingId }) => externalBookingId),
    context.skipCancelled,
  ]);
  const byExternalId = new Map(existing.map((booking) => [booking.externalBookingId, booking]));
  for (const { row, payload } of outcomes.open) {
    const known = byExternalId.get(payload.externalBookingId);
    if (!known) continue;
    const { status, ...reported } = known;
    outcomes.settle(
      succeeded(row, status === 'CONFIRMED' ? 'ALREADY_IMPORTED' : 'CANCELLED_BEFORE', reported),
    );
  }

  outcomes.refuse((payload) => references.problemOf(payload));
  const taken = await takenBibs(
    context,
    outcomes.open.flatMap(({ payload }) => references.bibsOf(payload)),
  );
  const teams = await teamsByName(
    context,
    outcomes.open.flatMap(({ payload }) => references.teamsOf(payload)),
  );

  const at = await claimedAt(context);
  const made = new StartList(context, references, teams, at);
  for (const { row, payload } of outcomes.open) {
    // The bib last of what can fail: a row that fails takes neither uses nor bibs.
    const bibs = references.bibsOf(payload);
    const worn = bibs.find((bib) => taken.has(bib));
    if (worn) {
      outcomes.settle(
        failed(row, problem('BIB_NUMBER_TAKEN', `Bib ${worn.bibNumber} is worn in this race already`)),
      );
      continue;
    }
    const prices = references.pricesOf(payload);
    const discount = payload.discountCode
      ? discounts.take(payload.discountCode, basketOf(payload, prices, at))
      : undefined;
    if (discount && 'message' in discount) {
      outcomes.settle(failed(row, discount));
      continue;
    }
    for (const bib of bibs) taken.add(bib);
    outcomes.settle(succeeded(row, 'IMPORTED', { ...made.add(row, payload, prices, discount) }));
  }
  await insertStartList(context, made);
  await logBibs(context, made.bibs, at);
  await appear(
    context,
    made.entries.map(({ participant_id }) => participant_id as string),
  );
  return outcomes.all();
};

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

const basketOf = (
  { eventOccurrenceId, bookedAt, participants, discountAlreadyApplied }: BookingImportRow,
  prices: EntryPrice[],
  now: string,
): Basket => ({
  eventOccurrenceId,
  at: (bookedAt && instantOf(bookedAt)) || now,
  currencyCode: currencyOf(prices),
  entries: participants.map(({ ticketId }, i) => ({ ticketId, price: prices[i]?.charged.value ?? 0 })),
  alreadyApplied: discountAlreadyApplied ?? participants.some(({ price }) => price != null),
});

/** What a chunk's rows become. */
class StartList {
  readonly bookings: NewBooking[] = [];
  readonly entries: NewEntry[] = [];
  readonly lineItems: NewLineItem[] = [];
  readonly bibs: (BibClaim & { participantId: string })[] = [];

  constructor(
    private readonly context: ImportContext,
    private readonly references: BookingReferences,
    private readonly teams: Map<string, string>,
    private readonly at: string,
  ) {}

  add(row: number, payload: BookingImportRow, prices: EntryPrice[], discount: Taken | undefined): Reported {
    const { externalBookingId, eventOccurrenceId, booker, participants } = payload;
    const bookingId = newId();
    const currencyCode = currencyOf(prices);
    const reductions = discount?.reductions ?? [];
    const first = participants[0] as ImportedParticipant;
    this.bookings.push({
      id: bookingId,
      external_booking_id: externalBookingId,
      source: 'API',
      event_id: this.references.ticketOf(first).eventId,
      event_occurrence_id: eventOccurrenceId,
      transaction_id: newId(),
      booker_first_name: booker.firstName,
      booker_last_name: booker.lastName,
      booker_email: booker.email,
      booker_phone: booker.phone ?? null,
      booker_type: payload.bookerType ?? 'CONSUMER',
      partner_id: payload.partnerId ?? null,
      currency_code: currencyCode,
      total_value:
        sum(prices.map(({ charged }) => charged.value)) - sum(reductions.map(({ value }) => value)),
      discount_code_id: discount?.id ?? null,
      discount_uses: discount?.uses ?? 0,
      tracking: payload.tracking ?? {},
      booked_at: payload.bookedAt ? instantOf(payload.bookedAt) : null,
    });
    const participantIds = participants.map((participant, i) =>
      this.addEntry(row, payload, bookingId, participant, i, prices[i] as EntryPrice),
    );
    for (const { entry, value } of reductions) {
      const participantId = entry === null ? null : (participantIds[entry] as string);
      const amount = { value, currencyCode };
      this.lineItems.push(discountLineItem(bookingId, participantId, discount as Taken, amount));
    }
    return { externalBookingId, bookingId, participantIds };
  }

  private addEntry(
    row: number,
    { booker, bookerType, partnerId, sourcePlatform, metadata, eventOccurrenceId }: BookingImportRow,
    bookingId: string,
    participant: ImportedParticipant,
    index: number,
    { startsUnit, charged, original }: EntryPrice,
  ): string {
    const ticket = this.references.ticketOf(participant);
    const participantId = newId();
    const { team, bibNumber } = participant;
    this.entries.push({
      id: newId(),
      participant_id: participantId,
      participant_index: index,
      booking_id: bookingId,
      event_id: ticket.eventId,
      event_occurrence_id: ticket.eventOccurrenceId,
      race_id: ticket.raceId,
      ticket_id: ticket.id,
      wave_id: participant.waveId ?? null,
      team_id: team ? this.teams.get(teamKey({ eventOccurrenceId, name: team.name })) : null,
      team_roles: team?.role ? [team.role] : NONE,
      approval_status: 'APPROVED',
      application_resolution_type: 'INSTANT',
      fields: this.references.questions.answers(ticket.fieldIds, participant, participant.fields),
      email_normalized: normalizeEmail(participant.email ?? booker.email),
      tags: participant.tags ?? NONE,
      original_price_value: original.value,
      original_price_currency: original.currencyCode,
      incremental: bookerType === 'PARTNER',
      partner_id: partnerId ?? null,
      reserved_entry_group_id: null,
      holds_reserved_place: false,
      takes_place: true,
      starts_unit: startsUnit,
      partner_marketing_opt_ins: NONE,
      has_donated: ticket.asksDonation ? false : null,
      bib_number: bibNumber ?? null,
      bib_claim: bibNumber ?? null,
      bib_changed_at: bibNumber ? this.at : null,
      external_participant_id: participant.externalParticipantId ?? null,
      external_assignment_id: null,
      metadata: {
        ...metadata,
        startline: startline(this.context, row, sourcePlatform),
      },
    });
    if (startsUnit) this.lineItems.push(ticketLineItem(bookingId, participantId, ticket, charged));
    if (bibNumber) this.bibs.push({ raceId: ticket.raceId, bibNumber, participantId });
    return participantId;
  }
}
