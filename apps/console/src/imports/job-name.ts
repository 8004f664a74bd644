import type { StaffImportJob } from '../api';
import { useTexts } from '../texts';

type Job = Pick<StaffImportJob, 'name' | 'surface' | 'undoes' | 'corrects' | 'mode'>;

/** The name of a job: its file, or what it does. */
export function useJobName(): (job: Job) => string {
  const { imports, undo } = useTexts();
  return ({ name, surface, undoes, corrects, mode }) => {
    if (mode === 'CHANGE') return undoes ? imports.changeUndone : imports.change;
    const of = name ?? imports.surfaces[surface] ?? surface;
    if (undoes) return undo.jobTitle;
    return corrects ? imports.correctionOf(of) : of;
  };
}
