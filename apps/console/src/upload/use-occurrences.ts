import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { OccurrenceOverview } from '../api';
import { readAll, useGet, useSession } from '../session';

export interface Choice {
  value: string;
  label: string;
}

const PAGE = 200;
/** Nobody chooses among more; older ones are found on the page of the events. */
const MOST = 2_000;
/** No occurrence has more (docs/limits.md). */
const MOST_TICKETS = 500;
/** Places are sold meanwhile. */
const TICKETS_STALE_MS = 10_000;

export interface OccurrenceChoice extends Choice {
  title: string;
  startDate: string | null;
  timeZone: string;
}

const NONE: OccurrenceChoice[] = [];

/** The organization's occurrences, newest first; of a partner, those of its places. */
export function useAllOccurrences(): { data: OccurrenceChoice[] | undefined; error: Error | null } {
  const { api, organizationId } = useSession();
  const { data, error } = useQuery({
    queryKey: [organizationId, 'occurrences', 'all'],
    queryFn: ({ signal }) =>
      readAll(
        api,
        '/console/v1/event-occurrences',
        { query: { 'page[size]': PAGE } },
        { signal, most: MOST },
      ),
    staleTime: 60_000,
  });
  const choices = useMemo(
    () =>
      data?.items.map(({ id, title, startDate, timeZone }) => ({
        value: id,
        ...{ title, startDate, timeZone },
        label: startDate ? `${title}, ${startDate}` : title,
      })),
    [data],
  );
  return { data: choices, error };
}

export const useOccurrences = (): OccurrenceChoice[] => useAllOccurrences().data ?? NONE;

export interface TicketChoice extends Choice {
  raceId: string;
  price: OccurrenceOverview['tickets'][number]['price'];
  isSoldOut: boolean;
}

/** All tickets of an occurrence, by race, and the races with tickets. */
export function useTickets(occurrenceId: string | undefined): {
  tickets: TicketChoice[];
  races: Choice[];
  error: Error | null;
} {
  const { data, error } = useGet(
    ['tickets', occurrenceId],
    '/v0/event-occurrences/{id}/tickets',
    { path: { id: occurrenceId ?? '' }, query: { 'page[size]': MOST_TICKETS } },
    { enabled: occurrenceId !== undefined, staleTime: TICKETS_STALE_MS },
  );
  return useMemo(() => {
    const all = data?.data ?? [];
    return {
      tickets: all.map(({ id, title, raceId, raceTitle, price, availability }) => ({
        value: id,
        label: `${raceTitle}: ${title}`,
        ...{ raceId, price },
        isSoldOut: availability === 'SOLD_OUT',
      })),
      races: [...new Map(all.map(({ raceId, raceTitle }) => [raceId, raceTitle]))].map(([value, label]) => ({
        value,
        label,
      })),
      error,
    };
  }, [data, error]);
}
