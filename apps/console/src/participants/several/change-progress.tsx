import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { Problem } from '../../pieces';
import { LIVE_MS } from '../../queries';
import { useGet, useSession } from '../../session';
import { useTexts } from '../../texts';

interface ChangeProgressProps {
  jobId: string;
  /** Another job, or none. */
  show(jobId: string | null): void;
}

const isOver = (status: string | undefined) => status === 'COMPLETED' || status === 'FAILED';

/** A change of several participants: how far it is, what became of each, and its undo. */
export function ChangeProgress({ jobId, show }: ChangeProgressProps) {
  const { participants } = useTexts();
  const { several } = participants;
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const { data: job, error } = useGet(
    ['import-job', jobId, 'change'],
    '/console/v1/import-jobs/{id}',
    { path: { id: jobId } },
    { refetchInterval: ({ state }) => (isOver(state.data?.status) ? false : LIVE_MS / 2) },
  );
  const isDone = isOver(job?.status);
  useEffect(() => {
    if (isDone) void queries.invalidateQueries({ queryKey: [organizationId, 'participants'] });
  }, [isDone, queries, organizationId]);
  const undo = useMutation({
    mutationFn: () => api.post('/v0/import-jobs/{jobId}/undo', { params: { path: { jobId } }, body: {} }),
    onSuccess: ({ jobId: id }) => show(id),
  });
  const failure = undo.error ?? error;
  if (failure) return <Problem error={failure} />;
  if (!job) return null;
  const { processedRows, totalRows, succeededRows, alreadyImportedRows, failedRows } = job;
  return (
    <Group component="section" gap="6px 14px" p={14} bd="1px solid var(--line)" bdrs={8} aria-live="polite">
      {!isDone && <progress max={totalRows} value={processedRows} aria-label={several.change} />}
      <p>
        {!isDone &&
          (job.waitingFor === 'worker' ? several.waiting : several.progress(processedRows, totalRows))}
        {isDone &&
          [
            job.status === 'FAILED' && several.stopped,
            several.changed(succeededRows),
            alreadyImportedRows > 0 && several.unchanged(alreadyImportedRows),
            failedRows > 0 && several.failed(failedRows),
          ]
            .filter(Boolean)
            .join(', ')}
      </p>
      {failedRows > 0 && <Link to={`/imports/${jobId}`}>{several.showFailures}</Link>}
      {isDone && job.change && job.change.type !== 'CANCEL' && succeededRows > 0 && (
        <Button size="xs" variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
          {several.undo}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => show(null)}>
        {several.dismiss}
      </Button>
    </Group>
  );
}
