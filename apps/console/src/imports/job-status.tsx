import type { StaffImportJob } from '../api';
import { Badge, type Tone } from '../pieces/page';
import { useTexts } from '../texts';

type Job = Pick<StaffImportJob, 'status' | 'failedRows'>;

function toneOf({ status, failedRows }: Job): Tone {
  if (status === 'FAILED') return 'bad';
  if (status === 'RUNNING') return 'busy';
  if (status === 'QUEUED') return 'plain';
  return failedRows > 0 ? 'warn' : 'good';
}

export function JobStatus({ job }: { job: Job }) {
  const { imports } = useTexts();
  return <Badge tone={toneOf(job)}>{imports.statuses[job.status]}</Badge>;
}

export const isOpen = ({ status }: Pick<StaffImportJob, 'status'>): boolean =>
  status === 'QUEUED' || status === 'RUNNING';
