import { QueryClient } from '@tanstack/react-query';
import { StartlineError } from './api';

/** How often data that can change is read again while its page is visible. */
export const LIVE_MS = 1_500;

const TRIES = 3;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A rejected request fails again, so it is not retried.
      retry: (count, error) =>
        count < TRIES && !(error instanceof StartlineError && error.status < 500 && error.status !== 429),
      staleTime: LIVE_MS,
    },
  },
});
