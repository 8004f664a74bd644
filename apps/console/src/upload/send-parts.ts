import { type BrowserClient, StartlineError } from '../api';
import { idempotencyKey } from './idempotency-key';
import { type BuiltRow, partsOf } from './rows';
import type { ImportPath } from './upload-page';

/** A rejected part: its problems refer to rows of the part, which contains their lines in the file. */
export class PartRefused extends Error {
  constructor(
    readonly refusal: StartlineError,
    readonly part: BuiltRow[],
  ) {
    super(refusal.message);
  }
}

interface Sending {
  api: BrowserClient;
  path: ImportPath;
  collection: string;
  rows: BuiltRow[];
  dryRun?: boolean;
  onSent(rows: number): void;
}

/**
 * Sends the rows in parts, each as its own job.
 *
 * @returns the ids of the jobs
 * @throws PartRefused
 */
export async function sendParts({ api, path, collection, rows, dryRun, onSent }: Sending): Promise<string[]> {
  const jobs: string[] = [];
  for (const part of partsOf(rows)) {
    const body = { [collection]: part.map((row) => row.body) };
    try {
      const accepted = await api.post(path, {
        body: body as never,
        ...(dryRun
          ? // Without a key, because a dry run after a correction elsewhere has another outcome.
            { params: { query: { dryRun: true } } }
          : { headers: { 'idempotency-key': await idempotencyKey(path, body) } }),
      } as never);
      jobs.push((accepted as { jobId: string }).jobId);
    } catch (error) {
      throw error instanceof StartlineError && error.problems.length > 0
        ? new PartRefused(error, part)
        : error;
    }
    onSent(part.length);
  }
  return jobs;
}
