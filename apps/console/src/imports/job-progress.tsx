import type { StaffImportJob } from '../api';
import { useTexts } from '../texts';
import { isOpen } from './job-status';

type Counts = Pick<
  StaffImportJob,
  | 'status'
  | 'totalRows'
  | 'processedRows'
  | 'succeededRows'
  | 'alreadyImportedRows'
  | 'failedRows'
  | 'correctedRows'
  | 'dryRun'
>;

/** The progress of a job and the outcomes of its rows so far; of a finished one, how many are done, with those of corrections. */
export function JobProgress({ job, tall }: { job: Counts; tall?: boolean }) {
  const { imports } = useTexts();
  const { totalRows, processedRows, succeededRows, alreadyImportedRows, failedRows, correctedRows, dryRun } =
    job;
  const done = processedRows - failedRows + correctedRows;
  const text = isOpen(job)
    ? imports.of(processedRows, totalRows)
    : (dryRun ? imports.wouldBeImported : imports.of)(done, totalRows);
  const parts = [
    { tone: 'good', rows: succeededRows + correctedRows },
    { tone: 'plain', rows: alreadyImportedRows },
    { tone: 'bad', rows: failedRows - correctedRows },
  ];
  return (
    <div className="progress" data-tall={tall || undefined}>
      {/* Shows the text beside it as a picture: widths in an SVG need no style attribute. */}
      <svg
        viewBox={`0 0 ${Math.max(1, totalRows)} 1`}
        preserveAspectRatio="none"
        role="progressbar"
        aria-label={imports.progress}
        aria-valuenow={processedRows}
        aria-valuemin={0}
        aria-valuemax={totalRows}
        aria-valuetext={text}
      >
        {parts.map(({ tone, rows }, i) => (
          <rect
            key={tone}
            data-tone={tone}
            x={parts.slice(0, i).reduce((sum, part) => sum + part.rows, 0)}
            width={rows}
            height={1}
          />
        ))}
      </svg>
      <span>{text}</span>
    </div>
  );
}
