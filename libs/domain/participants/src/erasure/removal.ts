/** The most rows that a transaction of an erasure changes, except for the rows of one booking. */
export const BATCH = 1_000;

/** The changed rows by table. A row is counted once, even if it was changed several times. */
export class Removal {
  private readonly rows = new Map<string, Set<string>>();

  /**
   * @param changed the keys of the changed rows
   * @returns their number
   */
  add(table: string, changed: readonly object[]): number {
    const rows = this.rows.get(table) ?? new Set<string>();
    for (const row of changed) rows.add(Object.values(row).join('/'));
    if (rows.size > 0) this.rows.set(table, rows);
    return changed.length;
  }

  /** By table in alphabetical order, without tables that have no changed rows. */
  counts(): Record<string, number> {
    const entries = [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([table, rows]) => [table, rows.size]));
  }

  of(table: string): number {
    return this.rows.get(table)?.size ?? 0;
  }
}

/** In batches of at most BATCH. */
export const inBatches = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, i) => all.slice(i * BATCH, (i + 1) * BATCH));
