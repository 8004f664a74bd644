/** The initial size, before any measurement. */
const FIRST_ENTRIES = 200;

/**
 * The number of entries of the next transaction of a job. While a transaction is open, lists by `updatedAt` show nothing
 * newer than its start, so the size adapts to keep the duration near `targetMs`.
 */
export class ChunkSize {
  private wanted: number;

  constructor(
    private readonly most: number,
    private readonly targetMs: number,
  ) {
    this.wanted = Math.min(most, FIRST_ENTRIES);
  }

  get entries(): number {
    return Math.max(1, Math.floor(this.wanted));
  }

  /** Call it after a transaction that committed. */
  took(entries: number, ms: number): void {
    // Based on the measured size, because a chunk can be smaller than permitted.
    const fitting = (entries * this.targetMs) / Math.max(1, ms);
    this.wanted = Math.min(this.most, Math.max(fitting, this.wanted / 4), this.wanted * 2);
  }

  /** Call it after a transaction that was rolled back, because it took too long or a row caused an error. */
  halve(entries: number): void {
    this.wanted = Math.max(1, Math.min(this.wanted, entries) / 2);
  }
}
