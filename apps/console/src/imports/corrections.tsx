import { Link } from 'wouter';
import type { StaffImportJob } from '../api';
import { Card, type Column, Table, Time } from '../pieces';
import { useTexts } from '../texts';
import { Sender } from './imports-page';
import { JobProgress } from './job-progress';
import { JobStatus } from './job-status';

/** The jobs that correct failed rows of a job, newest first. */
export function Corrections({ jobs }: { jobs: StaffImportJob[] }) {
  const { imports, participants } = useTexts();
  if (jobs.length === 0) return null;
  const columns: Column<StaffImportJob>[] = [
    {
      title: imports.created,
      main: true,
      cell: ({ jobId, createdAt }) => (
        <Link className="row-link" to={`/imports/${jobId}`}>
          <Time at={createdAt} seconds />
        </Link>
      ),
    },
    { title: participants.status, cell: (job) => <JobStatus job={job} /> },
    { title: imports.progress, width: 'wide', cell: (job) => <JobProgress job={job} /> },
    { title: imports.sentBy, cell: ({ sentBy }) => <Sender name={sentBy} /> },
  ];
  return (
    <Card title={imports.corrections}>
      <Table caption={imports.corrections} columns={columns} rows={jobs} keyOf={({ jobId }) => jobId} />
    </Card>
  );
}
