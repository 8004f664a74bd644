import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { JobName } from '../imports';
import type { BodyProblem } from '../openapi';

/** The response to a batch. */
export type BatchAnswer = { job: JobName } | { problems: readonly BodyProblem[] };

interface Stored {
  run: string;
  /** When it began, in milliseconds; absent in files of earlier versions. */
  startedAt?: number;
  fingerprint: string;
  batches: Record<string, BatchAnswer>;
}

/**
 * The responses of a run so far, in a file beside the source. A run that continues makes the same batches, and finds
 * their responses by content. A batch without a stored response is sent again with the same `Idempotency-Key`.
 */
export class RunState {
  readonly resumed: boolean;
  /** Whether a run that could be continued otherwise is too old. */
  readonly expired: boolean;
  private readonly stored: Stored;

  /**
   * @param fingerprint of the file and the options: if they differ, the run starts over
   * @param lastsMs how long a run can be continued
   */
  constructor(
    private readonly path: string,
    fingerprint: string,
    lastsMs: number = Number.POSITIVE_INFINITY,
  ) {
    const stored = read(path);
    const isSame = stored?.fingerprint === fingerprint;
    this.expired = isSame && Date.now() - (stored.startedAt ?? 0) > lastsMs;
    this.resumed = isSame && !this.expired;
    this.stored =
      stored && this.resumed
        ? stored
        : { run: randomUUID(), startedAt: Date.now(), fingerprint, batches: {} };
    // Written before the first request, so that a run that is killed while it waits for a response repeats the same
    // key.
    this.write();
  }

  /** The `Idempotency-Key` of a batch. It differs between runs, so that a later run gets its own outcomes. */
  keyOf(body: string): string {
    return `${this.stored.run}/${createHash('sha256').update(body).digest('base64url')}`;
  }

  answerTo(key: string): BatchAnswer | undefined {
    return this.stored.batches[key];
  }

  keep(key: string, answer: BatchAnswer): void {
    this.stored.batches[key] = answer;
    this.write();
  }

  end(): void {
    rmSync(this.path, { force: true });
  }

  private write(): void {
    writeFileSync(`${this.path}.part`, JSON.stringify(this.stored));
    renameSync(`${this.path}.part`, this.path);
  }
}

function read(path: string): Stored | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export async function fingerprintOf(file: string, options: unknown): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(options));
  await pipeline(createReadStream(file), hash);
  return hash.digest('base64url');
}
