import type { StaffImportJobDetail } from '../../api';
import { LIVE_MS } from '../../queries';
import { useList } from '../../session';
import { isOpen } from '../job-status';

/** The newest jobs that correct a job. Of an import, dry runs of its corrections are left out. */
export function useCorrections({
  jobId,
  dryRun,
  corrections,
}: Pick<StaffImportJobDetail, 'jobId' | 'dryRun' | 'corrections'>) {
  const { data } = useList(
    ['import-jobs', 'corrections', jobId, corrections],
    '/console/v1/import-jobs',
    { query: { corrects: jobId, dryRun, 'page[size]': 100 } },
    {
      enabled: corrections > 0,
      refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? LIVE_MS : false),
    },
  );
  const list = data?.data ?? [];
  return { list, running: list.filter(isOpen).length };
}
