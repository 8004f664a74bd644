import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { ImportJob } from '../api';
import { JobCard } from '../imports/job-card';
import { isOpen, JobStatus } from '../imports/job-status';
import { Card, type Column, Page, Problem, Table } from '../pieces';
import { LIVE_MS } from '../queries';
import { useChange, useGet, useSession } from '../session';
import { useTexts } from '../texts';
import { ASSIGNMENTS } from './follow-import';

type Refused = ImportJob['errors'][number];

/** The outcome of a file of assignments: how many got a place, and why others got none. */
export function AssignmentsPage({ id }: { id: string }) {
  const { partner, imports, number, rows, partners } = useTexts();
  const { api } = useSession();
  const path = { jobId: id };
  const key = ['partner', 'import', id];
  const { data: job, error } = useGet(
    key,
    `${ASSIGNMENTS}/{jobId}`,
    { path },
    { refetchInterval: ({ state: { data } }) => (data && !isOpen(data) ? false : LIVE_MS) },
  );
  const act = useChange(
    (action: 'retry' | 'cancel') => api.post(`/v0/import-jobs/{jobId}/${action}`, { params: { path } }),
    key,
  );
  const up = { to: '/places', text: partners.places };
  if (!job) return <Page title={partner.assignments} up={up} error={error} />;
  const open = isOpen(job);
  const columns: Column<Refused>[] = [
    { title: rows.row, number: true, width: 'narrow', cell: ({ row }) => number(row + 1) },
    {
      title: partner.why,
      main: true,
      cell: ({ code, message }) => (
        <>
          {partner.reasons[code] ?? message}
          {partner.reasons[code] && <div className="dim">{message}</div>}
        </>
      ),
    },
  ];
  const counts = [
    [imports.counts.total, job.totalRows],
    [partner.counts.assigned, job.succeededRows, 'good'],
    [partner.counts.already, job.alreadyImportedRows, 'plain'],
    [partner.counts.failed, job.failedRows, 'bad'],
  ] as const;
  return (
    <Page
      title={partner.assignments}
      beside={<JobStatus job={job} />}
      up={up}
      actions={
        <>
          {open && (
            <Button variant="default" loading={act.isPending} onClick={() => act.mutate('cancel')}>
              {imports.cancel}
            </Button>
          )}
          {!open && !job.dryRun && job.errors.some(({ code }) => code !== 'INVALID_ROW') && (
            <Button variant="default" loading={act.isPending} onClick={() => act.mutate('retry')}>
              {imports.retry}
            </Button>
          )}
          <Button component={Link} to="/participants">
            {partner.showParticipants}
          </Button>
        </>
      }
    >
      {act.error && <Problem error={act.error} />}
      {job.dryRun && <p className="notice">{imports.isDryRun}</p>}
      <JobCard job={job} counts={counts} />
      {job.errors.length > 0 && (
        <Card title={partner.withoutPlace}>
          <p className="dim">{partner.withoutPlaceHelp}</p>
          <Table
            caption={partner.withoutPlace}
            columns={columns}
            rows={job.errors}
            keyOf={({ row }) => String(row)}
          />
          {job.failedRows > job.errors.length && (
            <p className="dim">{partner.moreFailed(job.failedRows - job.errors.length)}</p>
          )}
        </Card>
      )}
    </Page>
  );
}
