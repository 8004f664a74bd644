import { MutationCache, QueryClient } from '@tanstack/react-query';
import { NoAnswer, StartlineError } from './api';

/** How often data that can change is read again while its page is visible. */
export const LIVE_MS = 1_500;

const TRIES = 3;

export const queries: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    // A session that has ended leads to the sign-in at once, and from there back.
    onError: (error) => {
      if (error instanceof StartlineError && error.status === 401)
        void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'me' });
    },
  }),
  defaultOptions: {
    queries: {
      // A rejected request fails again, so it is not retried; nor is what fails in the browser.
      retry: (count, error) =>
        count < TRIES &&
        (error instanceof StartlineError
          ? error.status >= 500 || error.status === 429
          : error instanceof NoAnswer),
      staleTime: LIVE_MS,
    },
    // Without a connection, a change fails and says so, instead of waiting for one.
    mutations: { networkMode: 'always' },
  },
});
