import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { StaffImportJobDetail } from '../../api';
import { LIVE_MS } from '../../queries';
import { useSession } from '../../session/session';
import { isOpen } from '../job-status';

/** The newest jobs that correct a job. Of an import, trials of its corrections are left out. */
export function useCorrections({
  jobId,
  dryRun,
  corrections,
}: Pick<StaffImportJobDetail, 'jobId' | 'dryRun' | 'corrections'>) {
  const { api, organizationId } = useSession();
  const { data } = useQuery({
    queryKey: [organizationId, 'import-jobs', 'corrections', jobId, corrections],
    queryFn: ({ signal }) =>
      api.get('/console/v1/import-jobs', {
        params: { query: { corrects: jobId, dryRun, 'page[size]': 100 } },
        signal,
      }),
    enabled: corrections > 0,
    refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? LIVE_MS : false),
    placeholderData: keepPreviousData,
  });
  const list = data?.data ?? [];
  return { list, running: list.filter(isOpen).length };
}
