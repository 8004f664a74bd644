import { useQueries } from '@tanstack/react-query';
import type { OrganizerEventOccurrenceSummary, ReservedEntryGroup, Ticket } from '../api';
import { useGet, useSession } from '../session';

const OFTEN_MS = 15_000;
const STALE_MS = 60_000;

/** A reserved entry group with its occurrence and the tickets of its places. */
export interface Places {
  group: ReservedEntryGroup;
  occurrence: OrganizerEventOccurrenceSummary;
  tickets: Ticket[];
}

export const freeOf = ({ maxCapacity, usedCapacity }: ReservedEntryGroup): number =>
  Math.max(0, maxCapacity - usedCapacity);

export const isOver = ({ settings: { deadline } }: ReservedEntryGroup): boolean =>
  deadline !== null && Date.parse(deadline) < Date.now();

/** The occurrences of the partner's groups and runners, those to come first. */
export function useOccurrencesOfPartner() {
  const query = useGet(
    ['partner', 'occurrences'],
    '/v0/event-occurrences',
    { query: { 'page[size]': 200 } },
    { staleTime: STALE_MS },
  );
  const today = new Date().toISOString().slice(0, 10);
  const all = query.data?.data;
  return {
    error: query.error,
    all,
    toCome: all?.filter(({ startDate }) => startDate >= today),
    past: all?.filter(({ startDate }) => startDate < today).reverse(),
  };
}

/** The groups of occurrences, with the titles of their tickets. */
export function usePlaces(occurrences: OrganizerEventOccurrenceSummary[] | undefined) {
  const { api, organizationId } = useSession();
  const answers = useQueries({
    queries: (occurrences ?? []).map((occurrence) => ({
      queryKey: [organizationId, 'partner', 'places', occurrence.id],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Places[]> => {
        const params = { path: { id: occurrence.id }, query: { 'page[size]': 500 } };
        const [groups, tickets] = await Promise.all([
          api.get('/v0/event-occurrences/{id}/reserved-entries', { params, signal }),
          api.get('/v0/event-occurrences/{id}/tickets', { params, signal }),
        ]);
        return groups.data.map((group) => ({
          ...{ group, occurrence },
          tickets: tickets.data.filter((ticket) =>
            group.tickets.some(({ ticketSlug }) => ticketSlug === ticket.ticketSlug),
          ),
        }));
      },
      refetchInterval: OFTEN_MS,
    })),
  });
  return {
    error: answers.find(({ error }) => error)?.error ?? null,
    places:
      occurrences && answers.every(({ data }) => data)
        ? answers.flatMap(({ data }) => data ?? [])
        : undefined,
  };
}

/** The partner and its sub-partners. */
export function usePartners() {
  return useGet(
    ['partners', 'own'],
    '/v0/partners',
    { query: { 'page[size]': 500 } },
    { staleTime: STALE_MS },
  );
}
