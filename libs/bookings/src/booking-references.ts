import { type KnownTicket, occurrencesById, ticketsById, wavesById } from '#libs/events';
import type { ImportContext } from '#libs/import-rows';
import { type Problem, problem } from '#libs/import-rows';
import { partnersById } from '#libs/partners';
import type { BibClaim } from '#libs/start-list';
import { Questions } from '#libs/start-list';
import type { BookingImportRow, ImportedParticipant } from './booking-row.dto';
import { currencyOf, type EntryPrice, entryPrices, problemOfPrices } from './prices';
import type { StartListParticipant } from './start-list-row.dto';

/** What the rows of a chunk may refer to. */
export class BookingReferences {
  private constructor(
    private readonly occurrences: Awaited<ReturnType<typeof occurrencesById>>,
    private readonly tickets: Map<string, KnownTicket>,
    private readonly waves: Awaited<ReturnType<typeof wavesById>>,
    private readonly partners: Awaited<ReturnType<typeof partnersById>>,
    readonly questions: Questions,
  ) {}

  static async of(context: ImportContext, payloads: BookingImportRow[]): Promise<BookingReferences> {
    const participants = payloads.flatMap((payload) => payload.participants);
    return new BookingReferences(
      await occurrencesById(
        context,
        payloads.map(({ eventOccurrenceId }) => eventOccurrenceId),
      ),
      await ticketsById(
        context,
        participants.map(({ ticketId }) => ticketId),
      ),
      await wavesById(
        context,
        participants.map(({ waveId }) => waveId),
      ),
      await partnersById(
        context,
        payloads.map(({ partnerId }) => partnerId),
      ),
      await Questions.of(context),
    );
  }

  problemOf({ eventOccurrenceId, partnerId, participants }: BookingImportRow): Problem | undefined {
    if (!this.occurrences.has(eventOccurrenceId)) {
      return problem(
        'EVENT_OCCURRENCE_NOT_FOUND',
        'eventOccurrenceId is not an event occurrence of your organization',
      );
    }
    if (partnerId && !this.partners.has(partnerId)) {
      return problem('PARTNER_NOT_FOUND', 'partnerId is not a partner of your organization');
    }
    for (const [i, participant] of participants.entries()) {
      const found = this.problemOfParticipant(participant, eventOccurrenceId, `participants[${i}]`);
      if (found) return found;
    }
    return this.problemOfBibs(participants) ?? this.problemOfPrices(participants);
  }

  private problemOfBibs(participants: ImportedParticipant[]): Problem | undefined {
    const seen = new Set<string>();
    for (const [i, participant] of participants.entries()) {
      const bib = participant.bibNumber && `${this.ticketOf(participant).raceId}/${participant.bibNumber}`;
      if (bib && seen.has(bib))
        return problem('BIB_NUMBER_TAKEN', `participants[${i}].bibNumber occurs twice in the booking`);
      if (bib) seen.add(bib);
    }
    return undefined;
  }

  private problemOfPrices(participants: ImportedParticipant[]): Problem | undefined {
    const prices = this.pricesOf({ participants });
    const currency = currencyOf(prices);
    for (const [i, participant] of participants.entries()) {
      const path = `participants[${i}]`;
      const price = prices[i] as EntryPrice;
      const found = problemOfPrices(participant, price, this.ticketOf(participant), path);
      if (found) return found;
      const { currencyCode } = price.charged;
      if (currencyCode !== 'ZERO' && currencyCode !== currency) {
        return problem(
          'CURRENCY_MISMATCH',
          `${path} is in ${currencyCode}, but the booking is in ${currency}`,
        );
      }
    }
    return undefined;
  }

  private problemOfParticipant(
    participant: StartListParticipant,
    eventOccurrenceId: string,
    path: string,
  ): Problem | undefined {
    const { ticketId, waveId, approvalStatus = 'APPROVED' } = participant;
    const ticket = this.tickets.get(ticketId);
    if (ticket?.eventOccurrenceId !== eventOccurrenceId) {
      return problem('TICKET_NOT_FOUND', `${path}.ticketId is not a ticket of the event occurrence`);
    }
    if (waveId && this.waves.get(waveId)?.raceId !== ticket.raceId) {
      return problem('WAVE_NOT_FOUND', `${path}.waveId is not a wave of the ticket's race`);
    }
    if (approvalStatus && approvalStatus !== 'APPROVED' && ticket.approval === 'INSTANT') {
      return problem(
        'INVALID_APPROVAL',
        `${path}.approvalStatus can't be ${approvalStatus}: the ticket's approval is INSTANT`,
      );
    }
    return this.questions.problemOf(participant, ticket.fieldIds, path);
  }

  ticketOf({ ticketId }: ImportedParticipant): KnownTicket {
    return this.tickets.get(ticketId) as KnownTicket;
  }

  pricesOf({ participants }: Pick<BookingImportRow, 'participants'>): EntryPrice[] {
    return entryPrices(participants, (participant) => this.ticketOf(participant));
  }

  bibsOf({ participants }: BookingImportRow): BibClaim[] {
    return participants.flatMap(({ bibNumber, ticketId }) => {
      const ticket = this.tickets.get(ticketId);
      return bibNumber && ticket ? { raceId: ticket.raceId, bibNumber } : [];
    });
  }

  teamsOf({
    eventOccurrenceId,
    participants,
  }: BookingImportRow): { eventOccurrenceId: string; name: string }[] {
    return participants.flatMap(({ team }) => (team ? { eventOccurrenceId, name: team.name } : []));
  }
}
