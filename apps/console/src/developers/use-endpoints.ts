import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session';

const OFTEN_MS = 5_000;

/** The webhook endpoints of the organization. */
export function useEndpoints() {
  const { api, organizationId } = useSession();
  return useQuery({
    queryKey: [organizationId, 'webhook-endpoints'],
    queryFn: ({ signal }) =>
      api.get('/v0/webhook-endpoints', { params: { query: { 'page[size]': 100 } }, signal }),
    refetchInterval: OFTEN_MS,
  });
}
