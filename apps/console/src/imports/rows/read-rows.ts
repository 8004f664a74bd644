import type { BrowserClient, StaffImportRow } from '../../api';
import { pagesOf } from '../../session';

/** The largest page of the operation. */
const PAGE = 400;

/** Reads the rows of a job that the filter names, page by page. */
export async function readRows(
  api: BrowserClient,
  id: string,
  filter: { open?: true; outcome?: 'FAILED' | 'ALREADY_IMPORTED' },
  take: (rows: StaffImportRow[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  const params = { path: { id }, query: { ...filter, 'page[size]': PAGE } };
  for await (const { data } of pagesOf(api, '/console/v1/import-jobs/{id}/rows', params, signal)) take(data);
}
