import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session';

/** The races to come and past, newest first, and their events. */
export function useRaces() {
  const { api, organizationId } = useSession();
  const { data, error } = useQuery({
    queryKey: [organizationId, 'race-day', 'races'],
    queryFn: ({ signal }) =>
      api.get('/console/v1/race-day/races', { params: { query: { 'page[size]': 100 } }, signal }),
    staleTime: 60_000,
  });
  const races = data?.data ?? [];
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
