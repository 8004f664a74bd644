import { statfs } from 'node:fs/promises';
import type { Settings } from '#platform/config';
import { type RunsOn, statement } from './statement';

const SIZE = statement({
  columns: { bytes: 'float8' },
  sql: 'SELECT pg_database_size(current_database())::float8 AS bytes',
});

const MB = 1_000_000;
const KNOWN_MS = 10_000;

/** The space that imports and loads leave free for everything else. */
export class DiskReserve {
  private known: { at: number; isFree: Promise<boolean> } | undefined;

  constructor(
    private readonly settings: Settings,
    /** Runs a statement on a node of the database. */
    private readonly anywhere: <T>(work: (on: RunsOn) => Promise<T>) => Promise<T>,
  ) {}

  /** Measures at most every KNOWN_MS. */
  isFree(): Promise<boolean> {
    if (!this.known || Date.now() - this.known.at > KNOWN_MS)
      this.known = { at: Date.now(), isFree: this.measure() };
    return this.known.isFree;
  }

  /** If it can't be measured, writing goes on. */
  private async measure(): Promise<boolean> {
    const { DATABASE_DIRECTORY, DATABASE_SIZE_LIMIT_MB, DISK_RESERVE_MB } = this.settings;
    try {
      if (DATABASE_DIRECTORY) {
        const { bavail, bsize } = await statfs(DATABASE_DIRECTORY);
        return bavail * bsize >= DISK_RESERVE_MB * MB;
      }
      if (!DATABASE_SIZE_LIMIT_MB) return true;
      const { bytes } = await this.anywhere((on) => SIZE.one(on, []));
      return bytes <= (DATABASE_SIZE_LIMIT_MB - DISK_RESERVE_MB) * MB;
    } catch {
      return true;
    }
  }
}
