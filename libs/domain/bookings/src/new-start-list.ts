import type { Taken } from '#domain/discounts';
import { type BibClaim, type NewEntry, newEntry, type StartListParticipant } from '#domain/participants';
import { newId } from '#platform/database';
import type { ImportContext } from '#platform/import-rows';
import { instantOf } from '#platform/validation';
import type { BookingReferences } from './booking-references';
import {
  discountLineItem,
  type NewBooking,
  type NewLineItem,
  startline,
  ticketLineItem,
} from './insert-start-list';
import { currencyOf, type EntryPrice } from './prices';
import type { StartListRow } from './start-list-row.dto';

/** The result of a booking in the import job. */
export interface ReportedBooking {
  externalBookingId: string;
  bookingId: string;
  participantIds: string[];
}

const instantOrNull = (time: string | null | undefined): string | null => (time && instantOf(time)) || null;

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

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
    const participantIds = participants.map((_, i) =>
      this.addEntry(row, payload, bookingId, i, prices[i] as EntryPrice),
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
    index: number,
    { startsUnit, charged, original }: EntryPrice,
  ): string {
    const { ofParticipants } = this.references;
    const { bibNumber } = payload.participants[index] as StartListParticipant;
    const ticket = ofParticipants.ticketOf(payload.participants[index] as StartListParticipant);
    const made = startline(this.context, row, payload.sourcePlatform);
    const sale = { bookingId, startsUnit, original, at: this.at, startline: made };
    const entry = newEntry(payload, index, sale, ofParticipants, this.teams);
    const { participant_id: participantId } = entry;
    this.entries.push(entry);
    if (startsUnit) this.lineItems.push(ticketLineItem(bookingId, participantId, ticket, charged));
    if (bibNumber) this.bibs.push({ raceId: ticket.raceId, bibNumber, participantId });
    return participantId;
  }
}
