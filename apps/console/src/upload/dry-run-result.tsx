import { Stack } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from 'wouter';
import { isOpen } from '../imports/job-status';
import { type FollowedImport, useFollow } from '../partner/follow-import';
import { Counts, Problem } from '../pieces';
import { LIVE_MS } from '../queries';
import { useSession } from '../session';
import { useTexts } from '../texts';

interface DryRunResultProps {
  jobIds: string[];
  /** The rows of all parts, while some are not sent yet. */
  sent: number | undefined;
}

/** The outcome of a dry run: counts, and failed rows by code. */
export function DryRunResult({ jobIds, sent }: DryRunResultProps) {
  const { upload, number } = useTexts();
  const { organizationId } = useSession();
  const follow = useFollow();
  const answers = useQueries({
    queries: jobIds.map((id) => ({
      queryKey: [organizationId, 'import-job', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => follow.read(id, signal),
      refetchInterval: LIVE_MS,
    })),
  });
  const error = answers.find((answer) => answer.error)?.error;
  const jobs = answers.map(({ data }) => data).filter((job) => job !== undefined);
  if (error && jobs.length < jobIds.length) return <Problem error={error} />;
  if (jobs.length < jobIds.length) return null;
  const sum = (of: (job: FollowedImport) => number) => jobs.reduce((total, job) => total + of(job), 0);
  const total = sent ?? sum(({ totalRows }) => totalRows);
  const running = sent !== undefined || jobs.some(isOpen);
  const cancelledBefore = sum(({ cancelledBeforeRows }) => cancelledBeforeRows);
  const shown = [
    [upload.tryCounts.succeeded, sum(({ succeededRows }) => succeededRows), 'good'],
    [upload.tryCounts.already, sum(({ alreadyImportedRows }) => alreadyImportedRows), 'plain'],
    ...(cancelledBefore > 0 ? ([[upload.tryCounts.cancelledBefore, cancelledBefore, 'plain']] as const) : []),
    [upload.tryCounts.failed, sum(({ failedRows }) => failedRows), 'bad'],
  ] as const;
  const codes = new Map<string, number>();
  for (const { code, rows } of jobs.flatMap(({ failures }) => failures))
    codes.set(code, (codes.get(code) ?? 0) + rows);
  return (
    <Stack component="section" className="dry-run" gap={10}>
      <p role="status">
        {running
          ? upload.tryRunning(
              sum(({ processedRows }) => processedRows),
              total,
            )
          : upload.tryDone(total)}
      </p>
      {jobs.some(({ status }) => status === 'FAILED') && <p className="notice">{upload.tryFailed}</p>}
      <Counts of={shown} />
      {codes.size > 0 && (
        <ul>
          {[...codes].map(([code, rows]) => (
            <li key={code}>
              <code>{code}</code> {number(rows)}
            </li>
          ))}
        </ul>
      )}
      {jobs.map(({ jobId, failedRows, alreadyImportedRows }) =>
        failedRows + alreadyImportedRows > 0 ? (
          <Link key={jobId} to={follow.pageOf(jobId)}>
            {upload.tryDetails}
          </Link>
        ) : null,
      )}
    </Stack>
  );
}
