import { useQuery } from '@tanstack/react-query';
import { readAll, useSession } from '../session';

const PAGE = 500;
/** Runners that are read at once: lists of partners are short, and are searched here. */
const MOST = 2_000;
const OFTEN_MS = 60_000;

/** The runners of an occurrence or of all, as the keys of the partner list them. */
export function useRunners(eventOccurrenceId: string | undefined) {
  const { api, organizationId } = useSession();
  return useQuery({
    queryKey: [organizationId, 'partner', 'runners', eventOccurrenceId],
    queryFn: ({ signal }) => {
      const query = { eventOccurrenceId, 'page[size]': PAGE };
      return readAll(api, '/v0/participants', { query }, { signal, most: MOST });
    },
    refetchInterval: OFTEN_MS,
  });
}
