import { useQuery } from '@tanstack/react-query';
import type { StaffImportJobDetail, StaffImportRow } from '../api';
import { Card, type Column, List } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { isOpen } from './job-status';
import { readRows } from './rows/read-rows';

/** Rows whose number had been imported with other values: nothing of them was stored. */
export function DifferingRows({ job }: { job: StaffImportJobDetail }) {
  const { imports, number, rows } = useTexts();
  const { api, organizationId } = useSession();
  const found = useQuery({
    queryKey: [organizationId, 'differing-rows', job.jobId],
    queryFn: async ({ signal }) => {
      const data: StaffImportRow[] = [];
      const take = (rows: StaffImportRow[]) => data.push(...rows.filter(({ differs }) => differs?.length));
      await readRows(api, job.jobId, { outcome: 'ALREADY_IMPORTED' }, take, signal);
      return { data };
    },
    enabled: !isOpen(job) && job.alreadyImportedRows > 0,
  });
  const count = found.data?.data.length ?? 0;
  if (count === 0) return null;
  const columns: Column<StaffImportRow>[] = [
    { title: rows.row, main: true, width: 'narrow', cell: ({ row }) => number(row + 1) },
    { title: imports.differs, width: 'wide', cell: ({ differs = [] }) => differs.join(', ') },
  ];
  return (
    <Card title={imports.differing(count)}>
      <p>{imports.differingHelp}</p>
      <List
        of={found}
        caption={imports.differing(count)}
        columns={columns}
        keyOf={({ row }) => String(row)}
        expected={count}
        empty={null}
      />
    </Card>
  );
}
