import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type BrowserClient, type ListedParticipant, StartlineError } from '../api';
import { LIVE_MS } from '../queries';
import { useSession } from '../session';

const SHORTEST = 2;
const LONGEST = 100;
const MOST = 20;
const TYPING_MS = 150;
const NOT_FOUND = 404;

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

interface Found {
  data: ListedParticipant[];
  hasMore: boolean;
}

/** What is known of a search. After a failed request: what the last one found, if any. */
interface Known {
  found?: Found & { asOf: number };
  failure?: Error;
}

/** Whom a search looks for. A code that names a participant finds them anyway. */
export interface DeskFilter {
  eventOccurrenceId?: string;
  status?: 'CONFIRMED';
}

/** A code that holds the id of a participant, such as the one of a ticket, names that participant. */
async function find(
  api: BrowserClient,
  search: string,
  filter: DeskFilter,
  signal: AbortSignal,
): Promise<Found> {
  const id = ID.exec(search)?.[0].toLowerCase();
  if (!id) {
    const query = { search, ...filter, 'page[size]': MOST };
    const { data, page } = await api.get('/console/v1/participants', { params: { query }, signal });
    return { data, hasMore: page.next !== '' };
  }
  try {
    const one = await api.get('/console/v1/participants/{id}', { params: { path: { id } }, signal });
    return { data: [one], hasMore: false };
  } catch (error) {
    if (error instanceof StartlineError && error.status === NOT_FOUND) return { data: [], hasMore: false };
    throw error;
  }
}

/**
 * Who has the bib or the name, or what a scanned code says. Nobody before two characters. While the answer to a new search
 * is awaited, what the previous one found is `stale`: it must not be acted upon. It is gone when the search fails.
 */
export function useFound(typed: string, filter: DeskFilter) {
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const [held, setHeld] = useState<{ typed: string; id: string }>();
  const heldId = held?.typed === typed ? held.id : undefined;
  const wanted = heldId ?? typed.trim().slice(0, LONGEST);
  const [settled] = useDebouncedValue(wanted, TYPING_MS);
  const search = heldId ?? settled;
  const keyOf = (text: string) => [organizationId, 'participants', 'desk', text, filter];
  const isAsked = wanted.length >= SHORTEST;
  const { data, isPlaceholderData } = useQuery({
    queryKey: keyOf(search),
    queryFn: async ({ signal, queryKey }): Promise<Known> => {
      const asOf = Date.now();
      try {
        return { found: { ...(await find(api, search, filter, signal)), asOf } };
      } catch (failure) {
        if (signal.aborted) throw failure;
        return { ...queries.getQueryData<Known>(queryKey), failure: failure as Error };
      }
    },
    enabled: search.length >= SHORTEST,
    refetchInterval: LIVE_MS,
    placeholderData: keepPreviousData,
    networkMode: 'always',
  });
  const stale = search !== wanted || isPlaceholderData;
  const known = isAsked ? data : undefined;
  /** Keeps a person on the screen whom the search no longer finds, until something else is typed. */
  const hold = (person: ListedParticipant) => {
    const found = { data: [person], hasMore: false, asOf: known?.found?.asOf ?? 0 };
    queries.setQueryData<Known>(keyOf(person.id), { found });
    setHeld({ typed, id: person.id });
  };
  return { isAsked, found: known?.found, stale, failure: stale ? undefined : known?.failure, hold };
}
