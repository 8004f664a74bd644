import { NONE, newId } from '#libs/database';
import type { Taken } from '#libs/discounts';
import type { KnownTicket } from '#libs/events';
import type { ImportContext } from '#libs/import-rows';
import { instantOf } from '#libs/input';
import { type BibClaim, normalizeEmail, sharedMetadata, teamKey } from '#libs/start-list';
import type { BookingReferences } from './booking-references';
import {
  discountLineItem,
  type NewBooking,
  type NewEntry,
  type NewLineItem,
  startline,
  ticketLineItem,
} from './insert-start-list';
import { currencyOf, type EntryPrice } from './prices';
import type { StartListParticipant, StartListRow } from './start-list-row.dto';

/** The result of a booking in the import job. */
export interface ReportedBooking {
  externalBookingId: string;
  bookingId: string;
  participantIds: string[];
}

const instantOrNull = (time: string | null | undefined): string | null => (time && instantOf(time)) || null;

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * A sale made elsewhere has already decided its applications, independent of the ticket; other sales follow the
 * ticket.
 */
export function resolutionOf(
  { source }: Pick<StartListRow, 'source'>,
  { resolution, approvalStatus }: StartListParticipant,
  { approval }: KnownTicket,
) {
  const isDecidedElsewhere = (source ?? 'API') === 'API' && (approvalStatus ?? 'APPROVED') === 'APPROVED';
  return resolution ?? (isDecidedElsewhere ? 'INSTANT' : approval);
}

/** The records that are created from the rows of a chunk. */
export class NewStartList {
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

  add(
    row: number,
    payload: StartListRow,
    prices: EntryPrice[],
    discount: Taken | undefined,
  ): ReportedBooking {
    const { externalBookingId, eventOccurrenceId, booker, participants } = payload;
    const bookingId = newId();
    const currencyCode = currencyOf(prices);
    const reductions = discount?.reductions ?? [];
    const first = participants[0] as StartListParticipant;
    this.bookings.push({
      id: bookingId,
      external_booking_id: externalBookingId,
      source: payload.source ?? 'API',
      created_at: instantOrNull(payload.createdAt),
      event_id: this.references.ticketOf(first).eventId,
      event_occurrence_id: eventOccurrenceId,
      transaction_id: payload.transactionId ?? newId(),
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
      metadata: payload.metadata ?? {},
      booked_at: instantOrNull(payload.bookedAt),
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
    payload: StartListRow,
    bookingId: string,
    participant: StartListParticipant,
    index: number,
    { startsUnit, charged, original }: EntryPrice,
  ): string {
    const { booker, bookerType, partnerId, sourcePlatform, eventOccurrenceId } = payload;
    const ticket = this.references.ticketOf(participant);
    const participantId = newId();
    const { team, bibNumber, resultSubmission } = participant;
    this.entries.push({
      id: newId(),
      created_at: instantOrNull(payload.createdAt),
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
      approval_status: participant.approvalStatus ?? 'APPROVED',
      application_resolution_type: resolutionOf(payload, participant, ticket),
      ballot_draw: participant.ballotDraw ?? null,
      application_notes: participant.applicationNotes ?? null,
      participant_notes: participant.participantNotes ?? NONE,
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
      partner_marketing_opt_ins: participant.partnerMarketingOptIns ?? NONE,
      result_url: resultSubmission?.url ?? null,
      result_submitted_at: instantOrNull(resultSubmission?.submittedAt),
      has_donated: ticket.asksDonation ? false : null,
      bib_number: bibNumber ?? null,
      bib_claim: bibNumber ?? null,
      bib_changed_at: bibNumber ? this.at : null,
      external_participant_id: participant.externalParticipantId ?? null,
      external_assignment_id: null,
      metadata: sharedMetadata({ startline: startline(this.context, row, sourcePlatform) }),
    });
    if (startsUnit) this.lineItems.push(ticketLineItem(bookingId, participantId, ticket, charged));
    if (bibNumber) this.bibs.push({ raceId: ticket.raceId, bibNumber, participantId });
    return participantId;
  }
}
