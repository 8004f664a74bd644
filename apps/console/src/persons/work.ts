import type { BrowserClient, PersonWork } from '../api';
import { Explained } from '../pieces';

const POLL_MS = 500;

/**
 * Waits until a worker has done the work.
 *
 * @param failed the message of the error if the work failed
 * @param progress the rows that were searched until now
 */
export async function done(
  api: BrowserClient,
  work: PersonWork,
  { failed, progress, signal }: { failed: string; progress?(rows: number): void; signal?: AbortSignal },
): Promise<PersonWork> {
  for (let now = work; ; ) {
    if (now.status === 'COMPLETED') return now;
    if (now.status === 'FAILED') throw new Explained(failed);
    progress?.(now.searchedRows);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal?.throwIfAborted();
    now = await api.get('/console/v1/person-jobs/{id}', { params: { path: { id: work.jobId } }, signal });
  }
}
