import { useMutation, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BrowserClient, StaffImportRow } from '../../api';
import { LIVE_MS } from '../../queries';
import { useSession } from '../../session';
import type { SentParts } from '../../upload/send-parts';
import { isOpen } from '../job-status';
import { readRows } from './read-rows';
import type { Checked } from './use-table';

const NOTHING: Checked = new Map();

/** Sends rows as a dry run, follows it, and tells what it found of each row. */
export function useCheck(send: (dryRun: true) => Promise<SentParts>) {
  const { api, organizationId } = useSession();
  const dryRun = useMutation({ mutationFn: () => send(true) });
  const jobIds = dryRun.data?.jobIds ?? [];
  const results = useQueries({
    queries: jobIds.map((id) => ({
      queryKey: [organizationId, 'checked-rows', id],
      queryFn: () => failuresOf(api, id),
      // Until it is finished.
      refetchInterval: ({ state }: { state: { data?: Awaited<ReturnType<typeof failuresOf>> } }) =>
        state.data?.failed ? false : (LIVE_MS as number),
    })),
    combine: (answers) => ({
      jobs: answers.flatMap(({ data }) => data ?? []),
      error: answers.find(({ error }) => error)?.error ?? null,
    }),
  });
  const { data } = dryRun;
  const { jobs, error } = results;
  const isDone = data !== undefined && jobs.length === jobIds.length && jobs.every(({ failed }) => failed);
  const checked = useMemo((): Checked => {
    if (!data || !isDone) return NOTHING;
    const found = new Map<number, NonNullable<ReturnType<Checked['get']>> | null>();
    for (const [i, items] of data.parts.entries()) {
      for (const { rows } of items) found.set((rows[0]?.line ?? 1) - 1, null);
      for (const row of jobs[i]?.failed ?? []) {
        const line = items[row.row]?.rows[0]?.line;
        if (line !== undefined) found.set(line - 1, { code: row.code, message: row.message, path: row.path });
      }
    }
    return found;
  }, [data, isDone, jobs]);
  const total = data?.parts.flat().length ?? 0;
  return {
    start: dryRun.mutate,
    reset: dryRun.reset,
    checked,
    error: dryRun.error ?? error,
    isRunning: dryRun.isPending || (data !== undefined && !isDone && !error),
    isDone: isDone && total > 0,
    done: jobs.reduce((sum, { processed }) => sum + processed, 0),
    total,
    failed: [...checked.values()].filter(Boolean).length,
  };
}

async function failuresOf(api: BrowserClient, id: string) {
  const job = await api.get('/console/v1/import-jobs/{id}', { params: { path: { id } } });
  const processed = job.processedRows;
  if (isOpen(job)) return { processed, failed: undefined };
  const failed: { row: number; code: string; message: string; path: string | undefined }[] = [];
  const read = ({ row, error }: StaffImportRow) =>
    error && failed.push({ row, code: error.code, message: error.message, path: error.path });
  // Rows that a job did not reach have an error, and no outcome.
  const isStopped = job.status === 'FAILED';
  if (isStopped || job.failedRows > 0)
    await readRows(api, id, isStopped ? {} : { outcome: 'FAILED' }, (page) => page.forEach(read));
  return { processed, failed };
}
