import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { IMPORT_TABLE, type StaffImportJobDetail } from '../api';
import { Card, Confirm, CopiedId, type CountsOf, Facts, Page, Problem, Time } from '../pieces';
import { LIVE_MS } from '../queries';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { Corrections } from './corrections';
import { DifferingRows } from './differing-rows';
import { DownloadFailed } from './download-failed';
import { FailedRows } from './failed-rows';
import { Sender } from './imports-page';
import { JobCard } from './job-card';
import { useJobName } from './job-name';
import { isOpen, JobStatus } from './job-status';
import { Overbooked } from './places';
import { retriedRows } from './retried';
import { unsentRows } from './rows/use-changes';
import { useCorrections } from './rows/use-corrections';
import { UndoImport } from './undo-import';
import { WarnedRows } from './warned-rows';

type ImportPath = keyof typeof IMPORT_TABLE;

const pathOf = (surface: string): ImportPath | undefined =>
  (Object.keys(IMPORT_TABLE) as ImportPath[]).find((path) => IMPORT_TABLE[path].surface === surface);

const NO_JOB = { jobId: '', dryRun: false, corrections: 0 };

export function ImportJobPage({ id }: { id: string }) {
  const { imports, rows, undo } = useTexts();
  const { api, organizationId, may } = useSession();
  const nameOf = useJobName();
  const countsOf = useCountsOf();
  const queries = useQueryClient();
  const [asking, setAsking] = useState<'retry' | 'cancel' | 'undo' | 'apply'>();
  const [, go] = useLocation();
  const key = [organizationId, 'import-job', id];
  const params = { path: { jobId: id } };
  const { data: job, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get('/console/v1/import-jobs/{id}', { params: { path: { id } }, signal }),
    refetchInterval: LIVE_MS,
  });
  const act = useMutation({
    mutationFn: (action: 'retry' | 'cancel') => api.post(`/v0/import-jobs/{jobId}/${action}`, { params }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: key });
      setAsking(undefined);
    },
  });
  const apply = useMutation({
    mutationFn: () => api.post('/v0/import-jobs/{jobId}/apply', { params }),
    onSuccess: (made) => go(`/imports/${made.jobId}`),
  });
  const corrections = useCorrections(job ?? NO_JOB);
  const up = { to: '/imports', text: imports.title };
  if (!job) return <Page title={imports.title} up={up} error={error} />;
  const writes = may('OWNER', 'MANAGER');
  const open = isOpen(job);
  const path = pathOf(job.surface);
  const again = retriedRows(job);
  const isUndo = job.undoes !== null;
  const undoable =
    !open && !job.dryRun && !isUndo && job.mode !== 'CHANGE' && job.succeededRows > job.undoneRows;
  const applicable = job.dryRun && !open && !job.corrects && !job.importedBy && !job.payloadsRemoved;
  const unsent = applicable ? unsentRows(id) : 0;
  const actions = writes && (
    <>
      {applicable && (
        <Button
          loading={apply.isPending || apply.isSuccess}
          onClick={() => (job.openRows > 0 || unsentRows(id) > 0 ? setAsking('apply') : apply.mutate())}
        >
          {imports.apply(job.totalRows)}
        </Button>
      )}
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
      {!open && again > 0 && (
        <Button variant="default" onClick={() => setAsking('retry')}>
          {imports.retry}
        </Button>
      )}
    </>
  );
  return (
    <Page title={nameOf(job)} beside={<JobStatus job={job} />} up={up} actions={actions}>
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
      {job.corrects && (
        <p className="notice">
          {imports.isCorrection} <Link to={`/imports/${job.corrects}`}>{imports.showCorrected}</Link>
        </p>
      )}
      {job.dryRun && !job.importedBy && <p className="notice">{imports.isDryRun}</p>}
      {job.importedBy && (
        <p className="notice">
          {imports.applied} <Link to={`/imports/${job.importedBy}`}>{undo.showImport}</Link>
        </p>
      )}
      {apply.error && asking !== 'apply' && <Problem error={apply.error} />}
      {job.failure && <p className="notice">{job.failure}</p>}
      <Overbooked job={job} />
      <JobCard job={job} counts={countsOf(job)}>
        <Facts
          facts={[
            [imports.surface, imports.surfaces[job.surface] ?? job.surface],
            [imports.sentBy, <Sender key="by" name={job.sentBy} />],
            [imports.created, <Time key="at" at={job.createdAt} seconds />],
            [imports.id, <CopiedId key="id" id={job.jobId} />],
          ]}
        />
      </JobCard>
      {/* The failed rows of a correction are open in the job that it corrects. */}
      {!job.corrects && !isUndo && path && (
        <Card title={rows.title} actions={job.openRows > 0 && <DownloadFailed job={job} />}>
          <FailedRows job={job} path={path} running={corrections.running} />
        </Card>
      )}
      <DifferingRows job={job} />
      <WarnedRows job={job} />
      <Corrections jobs={corrections.list} />
      {(job.corrects || isUndo) && job.failures.length > 0 && <Failures job={job} />}
      {asking === 'undo' && <UndoImport job={job} onClose={() => setAsking(undefined)} />}
      {asking === 'apply' && (
        <Confirm
          title={imports.apply(job.totalRows)}
          action={imports.apply(job.totalRows)}
          pending={apply.isPending || apply.isSuccess}
          error={apply.error}
          onConfirm={() => apply.mutate()}
          onClose={() => setAsking(undefined)}
        >
          {job.openRows > 0 && <p>{imports.applyOpen(job.openRows)}</p>}
          {unsent > 0 && <p>{imports.applyUnsent(unsent)}</p>}
        </Confirm>
      )}
      {asking === 'retry' && (
        <Confirm
          title={imports.retry}
          action={imports.retry}
          change={act}
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
          change={act}
          onConfirm={() => act.mutate('cancel')}
          onClose={() => setAsking(undefined)}
        >
          <p>{isUndo ? undo.cancelText : imports.cancelText}</p>
        </Confirm>
      )}
    </Page>
  );
}

/** Why rows of a job failed that are not corrected here. */
function Failures({ job }: { job: StaffImportJobDetail }) {
  const { rows, codes, number } = useTexts();
  return (
    <Card title={rows.title}>
      <ul className="plain-list">
        {job.failures.map(({ code, rows: count }) => (
          <li key={code}>
            {number(count)} × {codes[code] ?? code} <code>{code}</code>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The outcomes of its rows. */
function useCountsOf(): (job: StaffImportJobDetail) => CountsOf {
  const { imports, undo, upload } = useTexts();
  return (job) => {
    const counts = {
      ...imports.counts,
      ...(job.dryRun && upload.tryCounts),
      ...(job.undoes && undo.counts),
    };
    const failed = job.failedRows - job.correctedRows;
    return [
      [counts.total, job.totalRows],
      [counts.succeeded, job.succeededRows, 'good'],
      ...(job.correctedRows > 0 ? ([[counts.corrected, job.correctedRows, 'good']] as const) : []),
      [counts.already, job.alreadyImportedRows, 'plain'],
      ...(job.cancelledBeforeRows > 0
        ? ([[counts.cancelledBefore, job.cancelledBeforeRows, 'plain']] as const)
        : []),
      [counts.failed, failed, 'bad'],
      [counts.open, job.totalRows - job.processedRows],
    ];
  };
}
