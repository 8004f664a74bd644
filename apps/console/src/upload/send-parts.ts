import { type BrowserClient, StartlineError } from '../api';
import { idempotencyKey } from './idempotency-key';
import { type BuiltRow, partsOf } from './rows';
import type { ImportPath } from './upload-page';

/** A refused part: its problems name rows of the part, which `part` has with their lines in the file. */
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
 * Sends the rows in parts, of which each is a job of its own.
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
          ? // Without a key, because a trial after a correction elsewhere has another outcome.
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
