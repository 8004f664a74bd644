import type { KnownTicket } from '#domain/catalogue';
import type { ImportedParticipant } from '#domain/participants';
import { type Problem, problem } from '#platform/import-rows';
import { comparedName } from '#platform/validation';

export interface Amount {
  value: number;
  currencyCode: string;
}

/** The price of one entry of a booking. */
export interface EntryPrice {
  /** The first entry of a unit carries the unit's line item; the others cost nothing. */
  startsUnit: boolean;
  /** The index of the first entry of its unit. */
  unit: number;
  charged: Amount;
  original: Amount;
}

/**
 * Entries of a booking with the same ticket and team form units of the ticket's `competitorSize`, in their order. An
 * incomplete unit counts as one.
 */
export function entryPrices(
  participants: ImportedParticipant[],
  ticketOf: (participant: ImportedParticipant) => KnownTicket,
): EntryPrice[] {
  const entriesOf = new Map<string, number>();
  const firstOf = new Map<string, number>();
  return participants.map((participant, index) => {
    const { unitSize, priceValue, currencyCode } = ticketOf(participant);
    const sharing = `${participant.ticketId}/${comparedName(participant.team?.name ?? '')}`;
    const place = entriesOf.get(sharing) ?? 0;
    entriesOf.set(sharing, place + 1);
    const own = { value: priceValue, currencyCode };
    const startsUnit = place % unitSize === 0;
    if (startsUnit) firstOf.set(sharing, index);
    return {
      startsUnit,
      unit: firstOf.get(sharing) ?? index,
      charged: startsUnit ? (participant.price ?? own) : { value: 0, currencyCode },
      original: participant.originalPrice ?? own,
    };
  });
}

/** Prices are in the currency of the ticket, or zero. */
export function problemOfPrices(
  { price, originalPrice }: ImportedParticipant,
  { startsUnit }: EntryPrice,
  ticket: KnownTicket,
  path: string,
): Problem | undefined {
  for (const [name, given] of Object.entries({ price, originalPrice })) {
    if (!given || isNothing(given) || given.currencyCode === ticket.currencyCode) continue;
    return problem(
      `${path}.${name}`,
      'CURRENCY_MISMATCH',
      `is in ${given.currencyCode}, but its ticket is in ${ticket.currencyCode}`,
    );
  }
  return price && !startsUnit
    ? problem(
        `${path}.price`,
        'INVALID_PRICE',
        `must be set only for the first of the ${ticket.unitSize} entries that share the ticket`,
      )
    : undefined;
}

const isNothing = ({ value, currencyCode }: Amount): boolean => currencyCode === 'ZERO' && value === 0;

/** A booking has one currency besides ZERO; a booking that is entirely free has ZERO. */
export const currencyOf = (prices: EntryPrice[]): string =>
  prices.find(({ charged }) => charged.currencyCode !== 'ZERO')?.charged.currencyCode ?? 'ZERO';
