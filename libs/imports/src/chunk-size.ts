/** Before anything has been measured. */
const FIRST_ENTRIES = 200;

/**
 * How many entries the next transaction of a job takes on. While a transaction is open, lists by `updatedAt` show
 * nothing newer than its start, so its length is kept near `targetMs`, whatever the machine and the rows.
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

  /** After a transaction that committed. */
  took(entries: number, ms: number): void {
    // It grows by what was measured, not by what was allowed: a chunk that bytes or rows bounded proves less.
    const fitting = (entries * this.targetMs) / Math.max(1, ms);
    this.wanted = Math.min(this.most, Math.max(fitting, this.wanted / 4), this.wanted * 2);
  }

  /** After a transaction that was undone: it took too long, or one of its rows could not be handled. */
  halve(entries: number): void {
    this.wanted = Math.max(1, Math.min(this.wanted, entries) / 2);
  }
}
