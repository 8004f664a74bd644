import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { IMPORT_TABLE, type StaffImportJobDetail } from '../api';
import { Confirm } from '../pieces/confirm';
import { Card, Facts, Page } from '../pieces/page';
import { Problem } from '../pieces/problem';
import { Time } from '../pieces/time';
import { LIVE_MS } from '../queries';
import { useSession } from '../session/session';
import { useTexts } from '../texts';
import { DownloadFailed } from './download-failed';
import { FailedRows } from './failed-rows';
import { Sender } from './imports-page';
import { JobProgress } from './job-progress';
import { isOpen, JobStatus } from './job-status';
import { usePace } from './pace';
import { UndoImport } from './undo-import';

type ImportPath = keyof typeof IMPORT_TABLE;

const pathOf = (surface: string): ImportPath | undefined =>
  (Object.keys(IMPORT_TABLE) as ImportPath[]).find((path) => IMPORT_TABLE[path].surface === surface);

export function ImportJobPage({ id }: { id: string }) {
  const { imports, shell, undo } = useTexts();
  const { api, organizationId, may } = useSession();
  const queries = useQueryClient();
  const [asking, setAsking] = useState<'retry' | 'cancel' | 'undo'>();
  const key = [organizationId, 'import-job', id];
  const { data: job, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get('/console/v1/import-jobs/{id}', { params: { path: { id } }, signal }),
    refetchInterval: LIVE_MS,
  });
  const act = useMutation({
    mutationFn: async (action: 'retry' | 'cancel') => {
      const path = job && pathOf(job.surface);
      if (path) await api.post(`${path}/{jobId}/${action}`, { params: { path: { jobId: id } } });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: key });
      setAsking(undefined);
    },
  });
  const up = { to: '/imports', text: shell.imports };
  if (!job) {
    return (
      <Page title={imports.title} up={up}>
        {error && <Problem error={error} />}
      </Page>
    );
  }
  const writes = may('OWNER', 'MANAGER');
  const open = isOpen(job);
  // Repeat a dry run from its file: a retry would not import anything.
  const again = job.dryRun ? 0 : job.totalRows - job.succeededRows - job.alreadyImportedRows;
  const isUndo = job.undoes !== null;
  const undoable =
    job.surface === 'bookingsImport' && !open && !job.dryRun && !isUndo && job.succeededRows > 0;
  const actions = writes && (
    <>
      {undoable && (
        <Button variant="default" onClick={() => setAsking('undo')}>
          {undo.action}
        </Button>
      )}
      {open && (
        <Button variant="default" onClick={() => setAsking('cancel')}>
          {isUndo ? undo.cancel : imports.cancel}
        </Button>
      )}
      {!open && again > 0 && <Button onClick={() => setAsking('retry')}>{imports.retry}</Button>}
    </>
  );
  return (
    <Page
      title={isUndo ? undo.jobTitle : (imports.surfaces[job.surface] ?? job.surface)}
      beside={<JobStatus job={job} />}
      up={up}
      actions={actions}
    >
      {job.undoes && (
        <p className="notice">
          {undo.isUndo} <Link to={`/imports/${job.undoes}`}>{undo.showImport}</Link>
        </p>
      )}
      {job.undoneBy && (
        <p className="notice">
          {undo.undone} <Link to={`/imports/${job.undoneBy}`}>{undo.followUndo}</Link>
        </p>
      )}
      {job.dryRun && <p className="notice">{imports.trial}</p>}
      {job.failure && <p className="notice">{job.failure}</p>}
      <Card>
        <JobProgress job={job} tall />
        <Pace job={job} />
        <Counts job={job} />
        <Facts
          facts={[
            [imports.sentBy, <Sender key="by" name={job.sentBy} />],
            [imports.created, <Time key="at" at={job.createdAt} seconds />],
            [
              imports.id,
              <span key="id" className="mono">
                {job.jobId}
              </span>,
            ],
          ]}
        />
      </Card>
      <Card title={imports.failures} actions={job.failedRows > 0 && <DownloadFailed job={job} />}>
        <FailedRows job={job} />
      </Card>
      {asking === 'undo' && <UndoImport job={job} onClose={() => setAsking(undefined)} />}
      {asking === 'retry' && (
        <Confirm
          title={imports.retry}
          action={imports.retry}
          pending={act.isPending}
          error={act.error}
          onConfirm={() => act.mutate('retry')}
          onClose={() => setAsking(undefined)}
        >
          <p>{isUndo ? undo.retryText(again) : imports.retryText(again)}</p>
        </Confirm>
      )}
      {asking === 'cancel' && (
        <Confirm
          title={isUndo ? undo.cancel : imports.cancel}
          action={isUndo ? undo.cancel : imports.cancel}
          keep={isUndo ? undo.cancelKeep : imports.cancelKeep}
          danger
          pending={act.isPending}
          error={act.error}
          onConfirm={() => act.mutate('cancel')}
          onClose={() => setAsking(undefined)}
        >
          <p>{isUndo ? undo.cancelText : imports.cancelText}</p>
        </Confirm>
      )}
    </Page>
  );
}

const MINUTE = 60;

/** Always rendered, so that the layout below does not move. */
function Pace({ job }: { job: StaffImportJobDetail }) {
  const { imports } = useTexts();
  const pace = usePace(job);
  // A job that proceeds waits for others again and again.
  const proceeds = pace && (job.waitingFor === 'turn' || job.waitingFor === 'otherImport');
  const wait = proceeds ? null : job.waitingFor;
  const duration = (seconds: number) =>
    seconds < MINUTE
      ? imports.seconds(Math.max(1, Math.round(seconds)))
      : imports.minutes(Math.ceil(seconds / MINUTE));
  const took =
    job.startedAt && job.finishedAt && (Date.parse(job.finishedAt) - Date.parse(job.startedAt)) / 1_000;
  return (
    <p className="dim pace" role="status">
      {wait && imports.waitingFor[wait]}
      {!wait && pace && imports.rate(pace.perSecond, duration(pace.secondsLeft))}
      {!isOpen(job) && took !== null && took !== '' && imports.took(duration(took))}
      {'\u200b'}
    </p>
  );
}

function Counts({ job }: { job: StaffImportJobDetail }) {
  const { imports, number, undo } = useTexts();
  const counts = { ...imports.counts, ...(job.undoes && undo.counts) };
  const shown = [
    [counts.total, job.totalRows, undefined],
    [counts.succeeded, job.succeededRows, 'good'],
    [counts.already, job.alreadyImportedRows, 'plain'],
    [counts.failed, job.failedRows, job.failedRows ? 'bad' : undefined],
    [counts.open, job.totalRows - job.processedRows, undefined],
  ] as const;
  return (
    <dl className="counts">
      {shown.map(([name, count, tone]) => (
        <div key={name} data-tone={tone}>
          <dt>{name}</dt>
          <dd>{number(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
