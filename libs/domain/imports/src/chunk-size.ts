import { type RunsOn, statement } from '#platform/database';
import type { OpenJob } from './open-jobs';

/**
 * The initial size, and what a long transaction shrinks to at most. Planning and reading take time whatever the size: with
 * chunks of 100, an import costs three times the CPU, and a busy machine would stay busy.
 */
const LEAST_ENTRIES = 500;

const READ = statement({
  parameters: ['uuid', 'uuid'],
  columns: { entries: 'int?', conflicts: 'int' },
  sql: `
    SELECT chunk_entries AS entries, chunk_conflicts AS conflicts FROM import_jobs
    WHERE organization_id = $1 AND id = $2
  `,
});

const SAVE = statement({
  parameters: ['uuid', 'uuid', 'int', 'int'],
  sql: `
    UPDATE import_jobs SET chunk_entries = $3, chunk_conflicts = $4
    WHERE organization_id = $1 AND id = $2 AND status IN ('QUEUED', 'RUNNING')
      AND (chunk_entries IS DISTINCT FROM $3 OR chunk_conflicts <> $4)
  `,
});

/**
 * The number of entries of the next transaction of a job. While a transaction is open, lists by `updatedAt` show nothing
 * newer than its start, so the size adapts to keep the duration near `targetMs`.
 *
 * It is stored at the end of a turn. Without that, a turn that ends during the search for a failing row, or before the
 * transactions are short enough, would be repeated by the next turn for ever.
 */
export class ChunkSize {
  private wanted: number;
  private least = LEAST_ENTRIES;
  /** Conflicts with other transactions since the last transaction that committed. */
  conflicts = 0;

  constructor(
    private readonly most: number,
    private readonly targetMs: number,
  ) {
    this.wanted = Math.min(most, LEAST_ENTRIES);
  }

  get entries(): number {
    return Math.max(1, Math.floor(this.wanted));
  }

  /** Continues with the size of the previous turn. */
  async read(on: RunsOn, { organizationId, jobId }: OpenJob): Promise<void> {
    const stored = await READ.first(on, [organizationId, jobId]);
    this.wanted = Math.min(this.most, stored?.entries ?? LEAST_ENTRIES);
    this.conflicts = stored?.conflicts ?? 0;
  }

  async save(on: RunsOn, { organizationId, jobId }: OpenJob): Promise<void> {
    await SAVE.run(on, [organizationId, jobId, this.entries, this.conflicts]);
  }

  /** Call it after a transaction that committed. */
  took(entries: number, ms: number): void {
    // Based on the measured size, because a chunk can be smaller than permitted.
    const fitting = (entries * this.targetMs) / Math.max(1, ms);
    this.wanted = Math.min(this.most, Math.max(fitting, this.wanted / 4, this.least), this.wanted * 2);
    this.conflicts = 0;
  }

  /**
   * Call it after a transaction that was rolled back, because it took too long or a row caused an error.
   *
   * @param isSlow whether it took too long: the next ones would too, if they grew to the same size again
   */
  halve(entries: number, isSlow = false): void {
    this.wanted = Math.max(1, Math.min(this.wanted, entries) / 2);
    if (isSlow) this.least = Math.min(this.least, this.wanted);
  }
}
