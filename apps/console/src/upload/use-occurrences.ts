import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '../session/session';

export interface Choice {
  value: string;
  label: string;
}

/** The organization's occurrences, newest first. */
export function useOccurrences(): (Choice & { title: string })[] {
  const { api, organizationId } = useSession();
  const { data } = useQuery({
    queryKey: [organizationId, 'occurrences'],
    queryFn: ({ signal }) =>
      api.get('/v0/event-occurrences', { params: { query: { 'page[size]': 100 } }, signal }),
    staleTime: 60_000,
  });
  return useMemo(
    () =>
      (data?.data ?? [])
        .map(({ id, title, startDate }) => ({ value: id, title, label: `${title}, ${startDate}`, startDate }))
        .sort((a, b) => b.startDate.localeCompare(a.startDate))
        .map(({ value, label, title }) => ({ value, label, title })),
    [data],
  );
}

/** The tickets of an occurrence. */
export function useTickets(occurrenceId: string | undefined): {
  list: (Choice & { raceId: string })[];
  /** The races with tickets. */
  races: Choice[];
} {
  const { api, organizationId } = useSession();
  const { data } = useQuery({
    queryKey: [organizationId, 'tickets', occurrenceId],
    queryFn: ({ signal }) =>
      api.get('/v0/event-occurrences/{id}/tickets', {
        params: { path: { id: occurrenceId ?? '' }, query: { 'page[size]': 100 } },
        signal,
      }),
    enabled: occurrenceId !== undefined,
    staleTime: 60_000,
  });
  return useMemo(() => {
    const tickets = data?.data ?? [];
    return {
      list: tickets.map(({ id, title, raceId, raceTitle }) => ({
        value: id,
        label: `${raceTitle}: ${title}`,
        raceId,
      })),
      races: [...new Map(tickets.map(({ raceId, raceTitle }) => [raceId, raceTitle]))].map(
        ([value, label]) => ({ value, label }),
      ),
    };
  }, [data]);
}
