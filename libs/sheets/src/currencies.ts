import type { Lookups } from './match-values';
import type { Body } from './put';
import type { Mistake } from './values';

/** The currency of a ticket, if it is known; `ZERO` of a free one. */
export const currencyOfTicket = ({ ticketId }: Lookups, id: unknown): string | undefined =>
  ticketId?.find((ticket) => ticket.id === id)?.currencyCode;

/** The amounts of a row that are not in the currency of their ticket, which only nothing need not be. */
export function otherCurrencies(
  { participants }: Body,
  lookups: Lookups,
  columnOf: (path: string) => string | undefined,
): Mistake[] {
  return ((participants ?? []) as Body[]).flatMap((participant, i) => {
    const own = currencyOfTicket(lookups, participant?.ticketId);
    return ['price', 'originalPrice'].flatMap((name): Mistake[] => {
      const { currencyCode, value } = (participant?.[name] ?? {}) as Body;
      if (!own || !currencyCode || currencyCode === own || (currencyCode === 'ZERO' && value === 0))
        return [];
      const column = columnOf(`participants[${i}].${name}.value`);
      const subject = column ? `Column "${column}": the amount` : 'The amount';
      const message = `${subject} is in ${currencyCode}, but the ticket ${own === 'ZERO' ? 'is free' : `is in ${own}`}.`;
      const path = `participants[${i}].${name}`;
      return [{ code: 'CURRENCY_MISMATCH', message, path, ...(column && { column }) }];
    });
  });
}

/** The first participant of a booking whose amount is in another currency than those before. */
export function otherCurrencyOf(
  participants: Body[],
  lookups: Lookups,
): { participant: Body; mistake: Mistake } | undefined {
  let first: string | undefined;
  for (const participant of participants) {
    const { currencyCode = currencyOfTicket(lookups, participant.ticketId) } = (participant.price ?? {}) as {
      currencyCode?: string;
    };
    if (!currencyCode || currencyCode === 'ZERO') continue;
    first ??= currencyCode;
    if (currencyCode === first) continue;
    const message = `The amount is in ${currencyCode}, but the booking is in ${first}.`;
    return { participant, mistake: { code: 'CURRENCY_MISMATCH', message } };
  }
  return undefined;
}
