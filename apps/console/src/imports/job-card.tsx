import type { ReactNode } from 'react';
import type { ImportJob } from '../api';
import { Card, Counts, type CountsOf } from '../pieces';
import { useTexts } from '../texts';
import { JobProgress } from './job-progress';
import { isOpen } from './job-status';
import { usePace } from './pace';

type Job = Omit<ImportJob, 'errors' | 'results' | 'rowsUrl'>;

/** How far a job is, how fast it proceeds or what it waits for, and the outcomes of its rows. For staff and partners. */
export const JobCard = ({ job, counts, children }: { job: Job; counts: CountsOf; children?: ReactNode }) => (
  <Card>
    <JobProgress job={job} tall />
    <Pace job={job} />
    <Counts of={counts} />
    {children}
  </Card>
);

const MINUTE = 60;

/** Always rendered, so that the layout below does not move. */
function Pace({ job }: { job: Job }) {
  const { imports } = useTexts();
  const pace = usePace(job);
  // A job that proceeds waits for others again and again.
  const proceeds = pace && (job.waitingFor === 'turn' || job.waitingFor === 'otherImport');
  const wait = proceeds ? null : job.waitingFor;
  const duration = (seconds: number) =>
    seconds < MINUTE
      ? imports.seconds(Math.max(1, Math.round(seconds)))
      : imports.minutes(Math.ceil(seconds / MINUTE));
  const took =
    job.startedAt && job.finishedAt && (Date.parse(job.finishedAt) - Date.parse(job.startedAt)) / 1_000;
  return (
    <p className="dim pace" role="status">
      {wait && imports.waitingFor[wait]}
      {!wait && pace && imports.rate(pace.perSecond, duration(pace.secondsLeft))}
      {!isOpen(job) && took !== null && took !== '' && imports.took(duration(took))}
      {'\u200b'}
    </p>
  );
}
