import type { BrowserClient, StaffImportRow } from '../../api';

/** The largest page of the operation. */
const PAGE = 400;

/** Reads the rows of a job that the filter names, page by page. */
export async function readRows(
  api: BrowserClient,
  id: string,
  filter: { open: true } | { outcome: 'FAILED' | 'ALREADY_IMPORTED' },
  take: (rows: StaffImportRow[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (let after: string | undefined; after !== ''; ) {
    const query = { ...filter, 'page[size]': PAGE, ...(after && { 'page[after]': after }) };
    const answer = await api.get('/console/v1/import-jobs/{id}/rows', {
      params: { path: { id }, query },
      signal,
    });
    take(answer.data);
    after = answer.page.next;
  }
}
