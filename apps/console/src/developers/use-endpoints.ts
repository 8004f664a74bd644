import { useGet } from '../session';

const OFTEN_MS = 5_000;

/** The webhook endpoints of the organization. */
export function useEndpoints() {
  return useGet(
    ['webhook-endpoints'],
    '/v0/webhook-endpoints',
    { query: { 'page[size]': 100 } },
    { refetchInterval: OFTEN_MS },
  );
}
