import { useGet } from '../session';

/** The races to come and past, newest first, and their events. */
export function useRaces() {
  const { data, error } = useGet(
    ['race-day', 'races'],
    '/console/v1/race-day/races',
    { query: { 'page[size]': 100 } },
    { staleTime: 60_000 },
  );
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
