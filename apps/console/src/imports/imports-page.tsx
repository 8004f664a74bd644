import { Button, Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { StaffImportJob } from '../api';
import { List } from '../pieces/list';
import { Empty, Page } from '../pieces/page';
import type { Column } from '../pieces/table';
import { Time } from '../pieces/time';
import { useFilters } from '../pieces/use-filters';
import { LIVE_MS } from '../queries';
import { useSession } from '../session/session';
import { useTexts } from '../texts';
import { Allowance } from './allowance';
import { JobProgress } from './job-progress';
import { JobStatus } from './job-status';

const FILTERS = ['surface', 'status'] as const;
const STATUSES = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;

export function ImportsPage() {
  const texts = useTexts();
  const { imports, number, undo } = texts;
  const { api, organizationId, may } = useSession();
  const { filters, cursor, set } = useFilters(FILTERS);
  const query = { ...filters, ...cursor, 'page[size]': 25 } as object;
  const list = useQuery({
    queryKey: [organizationId, 'import-jobs', query],
    queryFn: ({ signal }) => api.get('/console/v1/import-jobs', { params: { query }, signal }),
    refetchInterval: LIVE_MS,
    placeholderData: keepPreviousData,
  });
  const upload = may('OWNER', 'MANAGER') && (
    <Button component={Link} to="/imports/new">
      {imports.upload}
    </Button>
  );
  const columns: Column<StaffImportJob>[] = [
    {
      key: 'surface',
      title: imports.surface,
      main: true,
      cell: ({ jobId, surface, undoes }) => (
        <Link className="row-link" to={`/imports/${jobId}`}>
          {undoes ? undo.jobTitle : (imports.surfaces[surface] ?? surface)}
        </Link>
      ),
    },
    { key: 'status', title: imports.status, cell: (job) => <JobStatus job={job} /> },
    { key: 'progress', title: imports.progress, width: 'wide', cell: (job) => <JobProgress job={job} /> },
    {
      key: 'failed',
      title: imports.failed,
      number: true,
      cell: ({ failedRows }) =>
        failedRows ? <span className="bad">{number(failedRows)}</span> : <span className="dim">0</span>,
    },
    { key: 'sentBy', title: imports.sentBy, cell: ({ sentBy }) => <Sender name={sentBy} /> },
    { key: 'created', title: imports.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  const filtered = Boolean(filters.surface || filters.status);
  return (
    <Page title={imports.title} actions={upload}>
      <div className="filters">
        <Select
          aria-label={imports.surface}
          placeholder={imports.anySurface}
          clearable
          data={Object.entries(imports.surfaces).map(([value, label = value]) => ({ value, label }))}
          value={filters.surface ?? null}
          onChange={(surface) => set({ surface })}
        />
        <Select
          aria-label={imports.status}
          placeholder={imports.anyStatus}
          clearable
          data={STATUSES.map((value) => ({ value, label: imports.statuses[value] }))}
          value={filters.status ?? null}
          onChange={(status) => set({ status })}
        />
        <Allowance />
      </div>
      <List
        of={list}
        caption={imports.title}
        columns={columns}
        keyOf={({ jobId }) => jobId}
        go={set}
        empty={
          <Empty title={filtered ? imports.emptyFiltered : imports.empty} action={!filtered && upload}>
            {filtered ? imports.emptyFilteredAdvice : imports.emptyAdvice}
          </Empty>
        }
      />
    </Page>
  );
}

export function Sender({ name }: { name: string | null }) {
  const { imports } = useTexts();
  if (!name) return <span className="dim">{imports.unknownSender}</span>;
  return name === 'console' ? imports.console : name;
}
