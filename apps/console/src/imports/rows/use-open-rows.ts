import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StaffImportJobDetail, StaffImportRow } from '../../api';
import { useSession } from '../../session';
import { readRows } from './read-rows';
import { type OpenRow, openRowOf } from './row-cells';

/**
 * All failed rows of a job that no correction has imported or is processing, with what was sent last. Read again when corrections begin
 * and end, and after a retry.
 *
 * @param running the number of corrections that are not finished
 */
export function useOpenRows(job: StaffImportJobDetail, running: number) {
  const { api, organizationId } = useSession();
  const [done, setDone] = useState(0);
  const { data, error, refetch } = useQuery({
    queryKey: [
      ...[organizationId, 'import-rows', job.jobId, job.finishedAt, job.openRows, job.corrections, running],
    ],
    queryFn: async ({ signal }) => {
      const rows: OpenRow[] = [];
      const take = (page: StaffImportRow[]) => {
        rows.push(...page.map(openRowOf));
        setDone(rows.length);
      };
      await readRows(api, job.jobId, { open: true }, take, signal);
      return rows;
    },
    enabled: job.openRows > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    // As many rows can fail again, with other errors.
    gcTime: 0,
  });
  return { rows: data, done, error, refetch };
}
