import type { StaffImportJobDetail } from '../api';
import { useGet } from '../session';
import { useTexts } from '../texts';
import { isOpen } from './job-status';

/** Races and tickets that the import overbooks, or, of a dry run, would overbook. Imports of bookings pass their capacity. */
export function Overbooked({ job }: { job: StaffImportJobDetail }) {
  const { imports } = useTexts();
  const { data } = useGet(
    ['import-places', job.jobId, job.status, job.correctedRows],
    '/console/v1/import-jobs/{id}/places',
    { path: { id: job.jobId } },
    { enabled: job.surface === 'bookingsImport' && !job.undoes && !isOpen(job) },
  );
  const over = [...(data?.races ?? []), ...(data?.tickets ?? [])].flatMap((place) => {
    const used = place.used + (job.dryRun ? place.added : 0);
    return used > place.maximum ? [{ ...place, used }] : [];
  });
  if (over.length === 0) return null;
  return (
    <div className="notice">
      <p>{job.dryRun ? imports.wouldOverbook : imports.overbooked}</p>
      <ul>
        {over.map(({ id, title, eventOccurrenceTitle, used, maximum }) => (
          <li key={id}>
            {eventOccurrenceTitle}, {title}: {imports.overbookedBy(used, maximum)}
          </li>
        ))}
      </ul>
    </div>
  );
}
