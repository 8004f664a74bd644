import type { EntityManager } from 'typeorm';

/** Rows that one transaction of an erasure changes at most, apart from those of one booking. */
export const BATCH = 1_000;

/** What was removed: which rows of which table, each counted once however often it was changed. */
export class Removal {
  private readonly rows = new Map<string, Set<string>>();

  /** @param sql a statement on the table that returns one column, which names the row */
  async run(manager: EntityManager, table: string, sql: string, values: unknown[]): Promise<number> {
    // TypeORM answers an UPDATE with its rows and how many it touched.
    const [changed] = (await manager.query(sql, values)) as [Record<string, string>[], number];
    const rows = this.rows.get(table) ?? new Set<string>();
    for (const row of changed) rows.add(Object.values(row).join('/'));
    if (rows.size > 0) this.rows.set(table, rows);
    return changed.length;
  }

  /** By table, in alphabetical order; tables without a row are left out. */
  counts(): Record<string, number> {
    const entries = [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([table, rows]) => [table, rows.size]));
  }

  of(table: string): number {
    return this.rows.get(table)?.size ?? 0;
  }
}

/** In parts of at most BATCH. */
export const inBatches = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, i) => all.slice(i * BATCH, (i + 1) * BATCH));
