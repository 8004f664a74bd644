import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type BrowserClient, type FoundParticipant, StartlineError } from '../api';
import { LIVE_MS } from '../queries';
import { useSession } from '../session/session';

const SHORTEST = 2;
const LONGEST = 100;
const TYPING_MS = 150;
const NOT_FOUND = 404;

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

interface Found {
  data: FoundParticipant[];
  hasMore: boolean;
}

/** A code that holds the id of a participant, such as the one of a ticket, names that participant. */
async function find(api: BrowserClient, search: string, signal: AbortSignal): Promise<Found> {
  const id = ID.exec(search)?.[0].toLowerCase();
  if (!id) return api.get('/console/v1/participants', { params: { query: { search } }, signal });
  try {
    const one = await api.get('/console/v1/participants/{id}', { params: { path: { id } }, signal });
    return { data: [one], hasMore: false };
  } catch (error) {
    if (error instanceof StartlineError && error.status === NOT_FOUND) return { data: [], hasMore: false };
    throw error;
  }
}

/** Who has the bib or the name, or what a scanned code says. Nobody before two characters. */
export function useFound(typed: string) {
  const { api, organizationId } = useSession();
  const [search] = useDebouncedValue(typed.trim().slice(0, LONGEST), TYPING_MS);
  const enabled = search.length >= SHORTEST;
  const { data, error } = useQuery({
    queryKey: [organizationId, 'participants', 'desk', search],
    queryFn: ({ signal }) => find(api, search, signal),
    enabled,
    refetchInterval: LIVE_MS,
    placeholderData: keepPreviousData,
    networkMode: 'always',
  });
  return { found: enabled ? data?.data : undefined, hasMore: enabled && data?.hasMore, error };
}
