import { useGet } from '../../session';
import type { Choice } from '../../upload/use-occurrences';

const STALE_MS = 10_000;

/** The waves of a race. */
export function useWaves(raceId: string | undefined): Choice[] {
  const { data } = useGet(
    ['race', raceId],
    '/v0/races/{id}',
    { path: { id: raceId ?? '' } },
    { enabled: raceId !== undefined, staleTime: STALE_MS },
  );
  return (data?.waves ?? []).map(({ id, title }) => ({ value: id, label: title }));
}
