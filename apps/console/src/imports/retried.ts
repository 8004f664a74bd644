import type { StaffImportJobDetail } from '../api';

type Counts = Pick<
  StaffImportJobDetail,
  | (
      | 'dryRun'
      | 'totalRows'
      | 'succeededRows'
      | 'alreadyImportedRows'
      | 'cancelledBeforeRows'
      | 'correctedRows'
    )
  | 'openFailures'
>;

/** The rows that a retry tries again. Repeat a dry run from its file: a retry would not import anything. */
export function retriedRows({ dryRun, totalRows, openFailures, ...job }: Counts): number {
  if (dryRun) return 0;
  const invalid = openFailures.find(({ code }) => code === 'INVALID_ROW')?.rows ?? 0;
  const done = job.succeededRows + job.alreadyImportedRows + job.cancelledBeforeRows + job.correctedRows;
  return totalRows - done - invalid;
}
