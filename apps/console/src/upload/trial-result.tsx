import { useQueries } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { StaffImportJobDetail } from '../api';
import { isOpen } from '../imports/job-status';
import { Problem } from '../pieces/problem';
import { LIVE_MS } from '../queries';
import { useSession } from '../session/session';
import { useTexts } from '../texts';

/** The outcome of a dry run: counts, and failed rows by code. */
export function TrialResult({ jobIds }: { jobIds: string[] }) {
  const { upload, number } = useTexts();
  const { api, organizationId } = useSession();
  const answers = useQueries({
    queries: jobIds.map((id) => ({
      queryKey: [organizationId, 'import-job', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.get('/console/v1/import-jobs/{id}', { params: { path: { id } }, signal }),
      refetchInterval: LIVE_MS,
    })),
  });
  const error = answers.find((answer) => answer.error)?.error;
  const jobs = answers.map(({ data }) => data).filter((job) => job !== undefined);
  if (error && jobs.length < jobIds.length) return <Problem error={error} />;
  if (jobs.length < jobIds.length) return null;
  const sum = (of: (job: StaffImportJobDetail) => number) => jobs.reduce((total, job) => total + of(job), 0);
  const total = sum(({ totalRows }) => totalRows);
  const running = jobs.some(isOpen);
  const shown = [
    [upload.tryCounts.succeeded, sum(({ succeededRows }) => succeededRows), 'good'],
    [upload.tryCounts.already, sum(({ alreadyImportedRows }) => alreadyImportedRows), 'plain'],
    [upload.tryCounts.failed, sum(({ failedRows }) => failedRows), 'bad'],
  ] as const;
  const codes = new Map<string, number>();
  for (const { code, rows } of jobs.flatMap(({ failures }) => failures))
    codes.set(code, (codes.get(code) ?? 0) + rows);
  return (
    <section className="trial">
      <p role="status">
        {running
          ? upload.tryRunning(
              sum(({ processedRows }) => processedRows),
              total,
            )
          : upload.tryDone(total)}
      </p>
      {jobs.some(({ status }) => status === 'FAILED') && <p className="notice">{upload.tryFailed}</p>}
      <dl className="counts">
        {shown.map(([name, count, tone]) => (
          <div key={name} data-tone={count > 0 ? tone : undefined}>
            <dt>{name}</dt>
            <dd>{number(count)}</dd>
          </div>
        ))}
      </dl>
      {codes.size > 0 && (
        <ul>
          {[...codes].map(([code, rows]) => (
            <li key={code}>
              <code>{code}</code> {number(rows)}
            </li>
          ))}
        </ul>
      )}
      {jobs.map(({ jobId, failedRows }) =>
        failedRows > 0 ? (
          <Link key={jobId} to={`/imports/${jobId}`}>
            {upload.tryDetails}
          </Link>
        ) : null,
      )}
    </section>
  );
}
