import { Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StaffImportJobDetail, StaffImportRow } from '../api';
import { Icon } from '../pieces/icons';
import { List } from '../pieces/list';
import type { Column } from '../pieces/table';
import { useFilters } from '../pieces/use-filters';
import { useSession } from '../session/session';
import { useTexts } from '../texts';
import { isOpen } from './job-status';

/** The failed rows with their content. */
export function FailedRows({ job }: { job: StaffImportJobDetail }) {
  const { imports, number } = useTexts();
  const { api, organizationId } = useSession();
  const { filters, cursor, set } = useFilters(['code'] as const);
  const [opened, setOpened] = useState<number>();
  const query = { outcome: 'FAILED', ...filters, ...cursor, 'page[size]': 25 } as const;
  const list = useQuery({
    // Read again only when the number of failed rows changes.
    queryKey: [organizationId, 'import-rows', job.jobId, job.failedRows, query],
    queryFn: ({ signal }) =>
      api.get('/console/v1/import-jobs/{id}/rows', { params: { path: { id: job.jobId }, query }, signal }),
    enabled: job.failedRows > 0,
    placeholderData: keepPreviousData,
  });
  if (job.failedRows === 0)
    return <p className="dim">{isOpen(job) ? imports.noFailuresRunning : imports.noFailures}</p>;
  const columns: Column<StaffImportRow>[] = [
    {
      key: 'row',
      title: imports.row,
      number: true,
      width: 'narrow',
      cell: ({ row }) => (
        <button
          type="button"
          className="disclose"
          aria-expanded={opened === row}
          aria-label={imports.show(row + 1)}
          onClick={() => setOpened(opened === row ? undefined : row)}
        >
          <Icon name={opened === row ? 'down' : 'right'} />
          {number(row + 1)}
        </button>
      ),
    },
    { key: 'code', title: imports.code, cell: ({ error }) => <code>{error?.code}</code> },
    { key: 'message', title: imports.message, width: 'wide', cell: ({ error }) => error?.message },
    {
      key: 'externalId',
      title: imports.externalId,
      cell: ({ error }) => error?.externalId ?? <span className="dim">–</span>,
    },
  ];
  return (
    <>
      <div className="filters">
        <Select
          aria-label={imports.code}
          placeholder={imports.allCodes(job.failedRows)}
          clearable
          data={job.failures.map(({ code, rows }) => ({ value: code, label: `${code} (${number(rows)})` }))}
          value={filters.code ?? null}
          onChange={(code) => set({ code })}
        />
      </div>
      <List
        of={list}
        go={set}
        caption={imports.failures}
        columns={columns}
        keyOf={({ row }) => String(row)}
        expected={Math.min(25, job.failedRows)}
        below={(row) => opened === row.row && <Sent row={row} />}
      />
    </>
  );
}

function Sent({ row: { sent } }: { row: StaffImportRow }) {
  const { imports } = useTexts();
  if (!sent) return <p className="dim">{imports.sentGone}</p>;
  return (
    // The table can be wider than its frame, and keyboards scroll the focused element.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="sent" aria-label={imports.sent} tabIndex={0}>
      <pre>{JSON.stringify(sent, null, 2)}</pre>
    </section>
  );
}
