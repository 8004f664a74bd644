import type { ImportJob, StaffImportJobDetail } from '../api';
import { useSession } from '../session';

/** The import that assigns places. */
export const ASSIGNMENTS = '/v0/reserved-entries/participants/import';

/** What staff and partners know of an import. */
export type FollowedImport = Omit<ImportJob, 'errors' | 'results' | 'rowsUrl'> &
  Pick<StaffImportJobDetail, 'failures'>;

/** Where a member follows an import. A member of a partner has the operations of its partner's keys, and a page of its own. */
export function useFollow() {
  const { api, me } = useSession();
  const ofPartner = me.partner !== null;
  return {
    pageOf: (id: string): string => (ofPartner ? `/places/imports/${id}` : `/imports/${id}`),
    read: async (id: string, signal: AbortSignal): Promise<FollowedImport> => {
      if (!ofPartner) return api.get('/console/v1/import-jobs/{id}', { params: { path: { id } }, signal });
      const job = await api.get(`${ASSIGNMENTS}/{jobId}`, { params: { path: { jobId: id } }, signal });
      const codes = [...new Set(job.errors.map(({ code }) => code))];
      const rows = (code: string) => job.errors.filter((error) => error.code === code).length;
      return { ...job, failures: codes.map((code) => ({ code, rows: rows(code) })) };
    },
  };
}
