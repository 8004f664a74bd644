import type { BrowserClient } from '../api';

const PAUSE_MS = 1_000;

/** Waits for the end of a job. */
export async function finished(api: BrowserClient, id: string) {
  for (;;) {
    const job = await api.get('/console/v1/import-jobs/{id}', { params: { path: { id } } });
    if (job.status === 'COMPLETED' || job.status === 'FAILED') return job;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
