import { Group } from '@mantine/core';
import type { StaffImportJob } from '../api';
import { Bar } from '../pieces';
import { useTexts } from '../texts';
import { isOpen } from './job-status';

type Counts = Pick<
  StaffImportJob,
  | 'status'
  | 'totalRows'
  | 'processedRows'
  | 'succeededRows'
  | 'alreadyImportedRows'
  | 'cancelledBeforeRows'
  | 'failedRows'
  | 'correctedRows'
  | 'dryRun'
>;

/** The progress of a job and the outcomes of its rows so far; of a finished one, how many are done, with those of corrections. */
export function JobProgress({ job, tall }: { job: Counts; tall?: boolean }) {
  const { imports } = useTexts();
  const { totalRows, processedRows, succeededRows, failedRows, correctedRows, dryRun } = job;
  const done = processedRows - failedRows + correctedRows;
  const text = isOpen(job)
    ? imports.of(processedRows, totalRows)
    : (dryRun ? imports.wouldBeImported : imports.of)(done, totalRows);
  const all = Math.max(1, totalRows);
  return (
    <Group className="progress" gap={10} wrap="nowrap" data-tall={tall || undefined}>
      <Bar
        tall={tall}
        parts={[
          { tone: 'good', share: (succeededRows + correctedRows) / all },
          { tone: 'plain', share: (job.alreadyImportedRows + job.cancelledBeforeRows) / all },
          { tone: 'bad', share: (failedRows - correctedRows) / all },
        ]}
        role="progressbar"
        aria-label={imports.progress}
        aria-valuenow={processedRows}
        aria-valuemin={0}
        aria-valuemax={totalRows}
        aria-valuetext={text}
      />
      <span>{text}</span>
    </Group>
  );
}
