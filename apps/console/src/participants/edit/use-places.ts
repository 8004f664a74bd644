import type { OccurrenceOverview } from '../../api';
import { useGet } from '../../session';

const STALE_MS = 10_000;

export interface TicketChoice {
  value: string;
  label: string;
  raceId: string;
  price: OccurrenceOverview['tickets'][number]['price'];
  isSoldOut: boolean;
}

/** The tickets of an occurrence, and the waves of a race, that a participant can have. */
export function usePlaces(eventOccurrenceId: string | undefined, raceId: string | undefined) {
  const tickets = useGet(
    ['places', eventOccurrenceId],
    '/v0/event-occurrences/{id}/tickets',
    { path: { id: eventOccurrenceId ?? '' }, query: { 'page[size]': 500 } },
    { enabled: eventOccurrenceId !== undefined, staleTime: STALE_MS },
  );
  const race = useGet(
    ['race', raceId],
    '/v0/races/{id}',
    { path: { id: raceId ?? '' } },
    { enabled: raceId !== undefined, staleTime: STALE_MS },
  );
  const list: TicketChoice[] = (tickets.data?.data ?? []).map((ticket) => ({
    value: ticket.id,
    label: `${ticket.raceTitle}: ${ticket.title}`,
    raceId: ticket.raceId,
    price: ticket.price,
    isSoldOut: ticket.availability === 'SOLD_OUT',
  }));
  const waves = (race.data?.waves ?? []).map(({ id, title }) => ({ value: id, label: title }));
  return { tickets: list, waves, error: tickets.error ?? race.error };
}
