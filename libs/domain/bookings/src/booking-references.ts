import { type KnownTicket, occurrencesById } from '#domain/catalogue';
import {
  entryBytes,
  type ImportedParticipant,
  ParticipantReferences,
  type Placed,
  placed,
  problemOfBytes,
} from '#domain/participants';
import { partnersById } from '#domain/partners';
import type { ImportContext } from '#platform/import-rows';
import { type Problem, problem } from '#platform/import-rows';
import { jsonBytes } from '#platform/validation';
import type { BookingImportRow } from './booking-row.dto';
import { currencyOf, type EntryPrice, entryPrices, problemOfPrices } from './prices';
import type { StartListRow } from './start-list-row.dto';

/** What the rows of a chunk may refer to. */
export class BookingReferences {
  private constructor(
    private readonly occurrences: Awaited<ReturnType<typeof occurrencesById>>,
    private readonly partners: Awaited<ReturnType<typeof partnersById>>,
    readonly ofParticipants: ParticipantReferences,
  ) {}

  static async of(context: ImportContext, payloads: BookingImportRow[]): Promise<BookingReferences> {
    return new BookingReferences(
      await occurrencesById(
        context,
        payloads.map(({ eventOccurrenceId }) => eventOccurrenceId),
      ),
      await partnersById(
        context,
        payloads.map(({ partnerId }) => partnerId),
      ),
      await ParticipantReferences.of(
        context,
        payloads.flatMap(({ participants }) => participants),
      ),
    );
  }

  /** @param given its participants, with the entries that it corrects */
  problemOf(row: BookingImportRow, given: Placed[] = placed(row)): Problem | undefined {
    const { eventOccurrenceId, partnerId } = row;
    if (!this.occurrences.has(eventOccurrenceId)) {
      return problem(
        'eventOccurrenceId',
        'EVENT_OCCURRENCE_NOT_FOUND',
        'is not an event occurrence of your organization',
      );
    }
    if (partnerId && !this.partners.has(partnerId)) {
      return problem('partnerId', 'PARTNER_NOT_FOUND', 'is not a partner of your organization');
    }
    return this.ofParticipants.problemOf(eventOccurrenceId, given) ?? this.problemOfPrices(given);
  }

  /** Units are counted in the order of the booking, which a correction need not have. */
  private problemOfPrices(given: Placed[]): Problem | undefined {
    const inOrder = given.map(({ participant, path, entry }, i) => ({
      participant: participant as ImportedParticipant,
      ...{ path, entry },
      index: entry?.participant_index ?? i,
    }));
    inOrder.sort((a, b) => a.index - b.index);
    const prices = this.pricesOf({ participants: inOrder.map(({ participant }) => participant) });
    const currency = currencyOf(prices);
    for (const [i, { participant, path, entry }] of inOrder.entries()) {
      // Of a stored entry, what was charged is compared with the row already. Only a price where nothing was is judged here.
      if (entry && (entry.charged || !participant.price)) continue;
      const price = prices[i] as EntryPrice;
      const found = problemOfPrices(participant, price, this.ofParticipants.ticketOf(participant), path);
      if (found) return found;
      const { currencyCode } = price.charged;
      if (currencyCode !== 'ZERO' && currencyCode !== currency) {
        return problem(path, 'CURRENCY_MISMATCH', `is in ${currencyCode}, but the booking is in ${currency}`);
      }
    }
    return undefined;
  }

  /** A page of participants contains 500 of what a row says about one. */
  problemOfSize(row: StartListRow): Problem | undefined {
    const { participants, ...booking } = row;
    const shared = jsonBytes(booking);
    for (const [i, { fields, ...participant }] of participants.entries()) {
      const answers = this.ofParticipants.answersOf({ ...participant, fields });
      const bytes = shared + entryBytes([answers, participant], participant.partnerMarketingOptIns);
      const found = problemOfBytes(bytes, `participants[${i}]`);
      if (found) return found;
    }
    return undefined;
  }

  ticketOf(participant: ImportedParticipant): KnownTicket {
    return this.ofParticipants.ticketOf(participant);
  }

  pricesOf({ participants }: Pick<BookingImportRow, 'participants'>): EntryPrice[] {
    return entryPrices(participants, (participant) => this.ticketOf(participant));
  }
}
