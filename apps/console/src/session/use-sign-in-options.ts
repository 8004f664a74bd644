import { useQuery } from '@tanstack/react-query';
import { anonymous } from '../api';

/** How staff may sign in on this installation; undefined while it is being read. */
export function useSignInOptions() {
  return useQuery({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => anonymous.get('/console/v1/session/options', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
