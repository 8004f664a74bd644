import { useQueries } from '@tanstack/react-query';
import type { Participant, ReservedEntryGroup, Ticket } from '../api';
import { useGet, useSession } from '../session';
import { type OccurrenceChoice, useAllOccurrences } from '../upload/use-occurrences';

const OFTEN_MS = 15_000;
const STALE_MS = 60_000;

/** A reserved entry group of the member's partner, with its event and the tickets of its places. */
export interface Places extends Omit<ReservedEntryGroup, 'tickets'> {
  eventOccurrenceId: string;
  eventTitle: string;
  /** Of the event. */
  startDate: string | null;
  deadline: string | null;
  partnerName: string | null;
  tickets: Ticket[];
}

export const freeOf = ({ maxCapacity, usedCapacity }: Pick<Places, 'maxCapacity' | 'usedCapacity'>): number =>
  Math.max(0, maxCapacity - usedCapacity);

export const isOver = ({ deadline }: Pick<Places, 'deadline'>): boolean =>
  deadline !== null && Date.parse(deadline) < Date.now();

type Occurrence = Pick<OccurrenceChoice, 'value' | 'title' | 'startDate'>;

/** The groups of the partner and its sub-partners in occurrences. */
export function usePlaces(occurrences: readonly Occurrence[] | undefined) {
  const { api, organizationId } = useSession();
  const partners = usePartners();
  const nameOf = new Map(partners.data?.data.map(({ id, name }) => [id, name]));
  const answers = useQueries({
    queries: (occurrences ?? []).map(({ value: id }) => ({
      queryKey: [organizationId, 'groups', 'places', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const params = { path: { id }, query: { 'page[size]': 500 } };
        const [groups, tickets] = await Promise.all([
          api.get('/v0/event-occurrences/{id}/reserved-entries', { params, signal }),
          api.get('/v0/event-occurrences/{id}/tickets', { params, signal }),
        ]);
        return groups.data.map((group) => ({
          ...group,
          tickets: tickets.data.filter((ticket) =>
            group.tickets.some(({ ticketSlug }) => ticketSlug === ticket.ticketSlug),
          ),
        }));
      },
      refetchInterval: OFTEN_MS,
    })),
  });
  const isRead = occurrences && answers.every(({ data }) => data);
  return {
    error: answers.find(({ error }) => error)?.error ?? null,
    places: isRead
      ? occurrences.flatMap(({ value, title, startDate }, i) =>
          (answers[i]?.data ?? []).map(
            (group): Places => ({
              ...group,
              ...{ eventOccurrenceId: value, eventTitle: title, startDate },
              deadline: group.settings.deadline,
              partnerName: nameOf.get(group.partnerId ?? '') ?? null,
            }),
          ),
        )
      : undefined,
  };
}

/** The places of events to come, the first event first, and of past ones if they are wanted. */
export function usePlacesByEvent(withPast = false) {
  const { data, error } = useAllOccurrences();
  const today = new Date().toISOString().slice(0, 10);
  // One without a date is to come.
  const dayOf = ({ startDate }: Occurrence) => startDate ?? '9999';
  const all = data && [...data].sort((one, other) => dayOf(one).localeCompare(dayOf(other)));
  const past = all?.filter((each) => dayOf(each) < today).reverse() ?? [];
  const toCome = all?.filter((each) => dayOf(each) >= today);
  const { places, ...read } = usePlaces(toCome && (withPast ? [...toCome, ...past] : toCome));
  return { places, pastEvents: past.length, error: error ?? read.error };
}

/** The group of a participant's place, for members of the partner. Entries name it, and only names within an occurrence can be compared. */
export function usePlaceOf(entry: Participant | undefined): Places | undefined {
  const { me } = useSession();
  const { places } = usePlaces(
    me.partner && entry
      ? [{ value: entry.eventOccurrenceId, title: entry.eventName, startDate: entry.raceStartDate }]
      : undefined,
  );
  const named = places?.filter(({ name }) => name === entry?.reservedEntryGroupName) ?? [];
  return named.length === 1 ? named[0] : undefined;
}

/** The member's partner and its sub-partners. */
export function usePartners() {
  const { me } = useSession();
  return useGet(
    ['partners', 'own'],
    '/v0/partners',
    { query: { 'page[size]': 500 } },
    { staleTime: STALE_MS, enabled: me.partner !== null },
  );
}
