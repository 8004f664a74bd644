import type { StaffImportJobDetail, StaffImportRow } from '../api';
import { Card, type Column, List } from '../pieces';
import { useGet } from '../session';
import { useTexts } from '../texts';

/** The largest page of the operation. */
const MOST = 400;

/** The imported rows that somebody should check, and why. */
export function WarnedRows({ job }: { job: StaffImportJobDetail }) {
  const { imports, number, rows } = useTexts();
  const found = useGet(
    ['warned-rows', job.jobId, job.warnedRows],
    '/console/v1/import-jobs/{id}/rows',
    { path: { id: job.jobId }, query: { warned: true, 'page[size]': MOST } },
    { enabled: job.warnedRows > 0 },
  );
  if (job.warnedRows === 0) return null;
  const columns: Column<StaffImportRow>[] = [
    { title: rows.row, main: true, width: 'narrow', cell: ({ row }) => number(row + 1) },
    {
      title: imports.warning,
      width: 'wide',
      cell: ({ warnings = [] }) =>
        warnings.map(({ code, message }) => (
          <p key={code}>
            {imports.warnings[code] ?? message} <code>{code}</code>
            <br />
            <span className="dim">{message}</span>
          </p>
        )),
    },
  ];
  return (
    <Card title={imports.warned(job.warnedRows)}>
      <List
        of={found}
        caption={imports.warned(job.warnedRows)}
        columns={columns}
        keyOf={({ row }) => String(row)}
        expected={Math.min(job.warnedRows, MOST)}
        empty={null}
      />
    </Card>
  );
}
