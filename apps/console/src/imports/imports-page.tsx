import { Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { StaffImportJob } from '../api';
import { localOf } from '../events/edit/local-time';
import { OccurrenceFilter } from '../partners/occurrence-filter';
import { type Column, Empty, HERE, List, Page, Pill, Pills, SearchField, Time, useFilters } from '../pieces';
import { LIVE_MS } from '../queries';
import { useList, useSession } from '../session';
import { useTexts } from '../texts';
import { Allowance } from './allowance';
import { useJobName } from './job-name';
import { JobProgress } from './job-progress';
import { JobStatus } from './job-status';

const FILTERS = ['surface', 'status', 'dryRun', 'search', 'eventOccurrenceId', 'createdAt[after]'] as const;
const STATUSES = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;

export function ImportsPage() {
  const { imports, number, participants } = useTexts();
  const nameOf = useJobName();
  const { may } = useSession();
  const { filters, cursor, set } = useFilters(FILTERS);
  const [typing, setTyping] = useState<string>();
  const query = { ...filters, dryRun: filters.dryRun ?? 'false', ...cursor, 'page[size]': 25 } as object;
  const list = useList(
    ['import-jobs', query],
    '/console/v1/import-jobs',
    { query },
    { refetchInterval: LIVE_MS },
  );
  const upload = may('OWNER', 'MANAGER') && (
    <Button component={Link} to="/imports/new">
      {imports.upload}
    </Button>
  );
  const columns: Column<StaffImportJob>[] = [
    {
      title: imports.name,
      main: true,
      width: 'wide',
      cell: (job) => (
        <>
          <Link className="row-link" to={`/imports/${job.jobId}`}>
            {nameOf(job)}
          </Link>
          {job.name && <div className="dim">{imports.surfaces[job.surface] ?? job.surface}</div>}
        </>
      ),
    },
    { title: participants.status, cell: (job) => <JobStatus job={job} /> },
    { title: imports.progress, cell: (job) => <JobProgress job={job} /> },
    {
      title: imports.failed,
      number: true,
      cell: ({ failedRows, correctedRows }) =>
        failedRows > correctedRows ? (
          <span className="bad">{number(failedRows - correctedRows)}</span>
        ) : (
          <span className="dim">0</span>
        ),
    },
    { title: imports.sentBy, cell: ({ sentBy }) => <Sender name={sentBy} /> },
    { title: imports.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  const dryRuns = filters.dryRun === 'true';
  const { surface, status, search, eventOccurrenceId, 'createdAt[after]': since } = filters;
  const filtered = Boolean(surface || status || search || eventOccurrenceId || since);
  return (
    <Page title={imports.title} actions={upload}>
      <Group justify="space-between">
        <Pills label={imports.kind}>
          <Pill pressed={!dryRuns} onClick={() => set({ dryRun: null })}>
            {imports.title}
          </Pill>
          <Pill pressed={dryRuns} onClick={() => set({ dryRun: 'true' })}>
            {imports.dryRuns}
          </Pill>
        </Pills>
        <Allowance />
      </Group>
      <search className="filters">
        <SearchField label={imports.search} value={search} min={3} set={set} />
        <OccurrenceFilter value={eventOccurrenceId} onChange={(id) => set({ eventOccurrenceId: id })} />
        <TextInput
          type="date"
          aria-label={imports.since}
          leftSection={<span className="dim">{imports.since}</span>}
          leftSectionWidth={52}
          value={typing ?? (since ? localOf(since, HERE).slice(0, 10) : '')}
          onBlur={() => setTyping(undefined)}
          onChange={({ target: { value } }) => {
            setTyping(value);
            // The year is typed digit by digit: 0002, 0020.
            if (!value || (value >= '1900' && value.length === 10))
              set({ 'createdAt[after]': value && new Date(`${value}T00:00`).toISOString() });
          }}
        />
        <Select
          aria-label={imports.surface}
          placeholder={imports.anySurface}
          clearable
          data={Object.entries(imports.surfaces).map(([value, label = value]) => ({ value, label }))}
          value={surface ?? null}
          onChange={(chosen) => set({ surface: chosen })}
        />
        <Select
          aria-label={participants.status}
          placeholder={participants.anyStatus}
          clearable
          data={STATUSES.map((value) => ({ value, label: imports.statuses[value] }))}
          value={status ?? null}
          onChange={(chosen) => set({ status: chosen })}
        />
      </search>
      <List
        of={list}
        caption={imports.title}
        columns={columns}
        keyOf={({ jobId }) => jobId}
        go={set}
        empty={
          <Empty
            title={filtered ? imports.emptyFiltered : dryRuns ? imports.emptyDryRuns : imports.empty}
            action={!filtered && upload}
          >
            {filtered
              ? imports.emptyFilteredAdvice
              : dryRuns
                ? imports.emptyDryRunsAdvice
                : imports.emptyAdvice}
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
