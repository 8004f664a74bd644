import type { StaffImportJob } from '../api';
import { Badge, type Tone } from '../pieces';
import { useTexts } from '../texts';

/** What has become of a job, corrections and undo included. */
export type JobState =
  | 'QUEUED'
  | 'RUNNING'
  | 'STOPPED'
  | 'UNDONE'
  | 'PARTLY_UNDONE'
  | 'OPEN'
  | 'CORRECTED'
  | 'APPLIED'
  | 'DONE';

const TONES: Record<JobState, Tone> = {
  QUEUED: 'plain',
  RUNNING: 'busy',
  STOPPED: 'bad',
  UNDONE: 'plain',
  PARTLY_UNDONE: 'plain',
  OPEN: 'warn',
  CORRECTED: 'good',
  APPLIED: 'good',
  DONE: 'good',
};

/** Partners are not told who sent it. */
type Job = Omit<StaffImportJob, 'sentBy' | 'mode'>;

export function stateOf(job: Job): JobState {
  const { status, corrects, failedRows, succeededRows, undoneRows } = job;
  if (status === 'QUEUED' || status === 'RUNNING') return status;
  if (status === 'FAILED') return 'STOPPED';
  if (job.importedBy) return 'APPLIED';
  if (undoneRows > 0) return undoneRows >= succeededRows ? 'UNDONE' : 'PARTLY_UNDONE';
  // The failed rows of a correction are open in the job that it corrects.
  if (corrects ? failedRows > 0 : job.openRows > 0) return 'OPEN';
  return job.correctedRows > 0 ? 'CORRECTED' : 'DONE';
}

export function JobStatus({ job }: { job: Job }) {
  const { imports } = useTexts();
  const state = stateOf(job);
  return (
    <>
      {job.dryRun && <Badge>{imports.dryRunState}</Badge>}{' '}
      <Badge tone={TONES[state]}>{imports.states[state]}</Badge>
    </>
  );
}

export const isOpen = ({ status }: Pick<StaffImportJob, 'status'>): boolean =>
  status === 'QUEUED' || status === 'RUNNING';
