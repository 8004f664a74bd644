import { useQuery } from '@tanstack/react-query';
import { readAll, useSession } from '../session';

const PAGE = 100;
/** Nobody chooses among more. */
const MOST = 5_000;

/** The races to come and past, newest first, and their events. */
export function useRaces() {
  const { api, organizationId } = useSession();
  const { data, error } = useQuery({
    queryKey: [organizationId, 'race-day', 'races'],
    queryFn: ({ signal }) =>
      readAll(api, '/console/v1/race-day/races', { query: { 'page[size]': PAGE } }, { signal, most: MOST }),
    staleTime: 60_000,
  });
  const races = data?.items ?? [];
  const events = new Map(races.map((race) => [race.eventOccurrenceId, race]));
  return {
    error,
    races,
    events: [...events].map(([value, { eventTitle, startDate }]) => ({
      value,
      label: eventTitle,
      startDate,
    })),
  };
}
