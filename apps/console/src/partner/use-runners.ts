import { useQuery } from '@tanstack/react-query';
import type { Participant } from '../api';
import { useSession } from '../session';

const PAGE = 500;
/** Runners that are read at once: lists of partners are short, and are searched here. */
const MOST = 2_000;
const OFTEN_MS = 60_000;

/** The runners of an occurrence or of all, as the keys of the partner list them. */
export function useRunners(eventOccurrenceId: string | undefined) {
  const { api, organizationId } = useSession();
  return useQuery({
    queryKey: [organizationId, 'partner', 'runners', eventOccurrenceId],
    queryFn: async ({ signal }) => {
      const runners: Participant[] = [];
      let total = 0;
      for (let after: string | undefined; after !== '' && runners.length < MOST; ) {
        const query = { eventOccurrenceId, 'page[size]': PAGE, ...(after && { 'page[after]': after }) };
        const { data, page } = await api.get('/v0/participants', { params: { query }, signal });
        runners.push(...data);
        total = page.totalResults;
        after = page.next;
      }
      return { runners, total };
    },
    refetchInterval: OFTEN_MS,
  });
}
