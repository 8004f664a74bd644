import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BrowserClient, StaffOccurrence } from '../api';
import { useGet, useSession } from '../session';

export interface Choice {
  value: string;
  label: string;
}

const PAGE = 200;
/** Nobody chooses among more; older ones are found on the page of the events. */
const MOST = 2_000;

async function allOf(api: BrowserClient, signal: AbortSignal): Promise<StaffOccurrence[]> {
  const all: StaffOccurrence[] = [];
  for (let after: string | undefined; after !== '' && all.length < MOST; ) {
    const query = { 'page[size]': PAGE, ...(after && { 'page[after]': after }) };
    const { data, page } = await api.get('/console/v1/event-occurrences', { params: { query }, signal });
    all.push(...data);
    after = page.next;
  }
  return all;
}

/** The organization's occurrences, newest first. */
export function useOccurrences(): (Choice & Pick<StaffOccurrence, 'title' | 'timeZone'>)[] {
  const { api, organizationId } = useSession();
  const { data } = useQuery({
    queryKey: [organizationId, 'occurrences', 'all'],
    queryFn: ({ signal }) => allOf(api, signal),
    staleTime: 60_000,
  });
  return useMemo(
    () =>
      (data ?? []).map(({ id, title, startDate, timeZone }) => ({
        value: id,
        title,
        timeZone,
        label: startDate ? `${title}, ${startDate}` : title,
      })),
    [data],
  );
}

/** The tickets of an occurrence. */
export function useTickets(occurrenceId: string | undefined): {
  list: (Choice & { raceId: string })[];
  /** The races with tickets. */
  races: Choice[];
} {
  const { data } = useGet(
    ['tickets', occurrenceId],
    '/v0/event-occurrences/{id}/tickets',
    { path: { id: occurrenceId ?? '' }, query: { 'page[size]': 100 } },
    { enabled: occurrenceId !== undefined, staleTime: 60_000 },
  );
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
