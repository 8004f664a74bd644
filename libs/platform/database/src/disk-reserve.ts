import { statfs } from 'node:fs/promises';
import type { Settings } from '#platform/config';
import { type RunsOn, statement } from './statement';

const SIZE = statement({
  columns: { bytes: 'float8' },
  sql: 'SELECT pg_database_size(current_database())::float8 AS bytes',
});

const MB = 1_000_000;
const KNOWN_MS = 10_000;

/** The space that writes leave free for what removes data, and for the work of the database. */
export class DiskReserve {
  private known: { at: number; freeMb: Promise<number> } | undefined;

  constructor(
    private readonly settings: Settings,
    /** Runs a statement on a node of the database. */
    private readonly anywhere: <T>(work: (on: RunsOn) => Promise<T>) => Promise<T>,
    /** Told once that DATABASE_DIRECTORY can't be read. */
    private warn: (message: string) => void = () => {},
  ) {}

  /**
   * Measures at most every KNOWN_MS.
   *
   * @param part of the reserve
   */
  async isFree(part = 1): Promise<boolean> {
    if (!this.known || performance.now() - this.known.at > KNOWN_MS)
      this.known = { at: performance.now(), freeMb: this.measured() };
    return (await this.known.freeMb) >= part * this.settings.DISK_RESERVE_MB;
  }

  /** If it can't be measured, writing goes on. */
  private async measured(): Promise<number> {
    const freeMb = await this.freeMb();
    if (freeMb !== undefined) return freeMb;
    this.warn("DATABASE_DIRECTORY can't be read, so writes don't leave DISK_RESERVE_MB free");
    this.warn = () => {};
    return Number.POSITIVE_INFINITY;
  }

  /** @returns infinite without a setting that says how much there is, undefined if DATABASE_DIRECTORY can't be read */
  async freeMb(): Promise<number | undefined> {
    const { DATABASE_DIRECTORY, DATABASE_SIZE_LIMIT_MB } = this.settings;
    try {
      if (DATABASE_DIRECTORY) {
        const { bavail, bsize } = await statfs(DATABASE_DIRECTORY);
        return (bavail * bsize) / MB;
      }
      if (!DATABASE_SIZE_LIMIT_MB) return Number.POSITIVE_INFINITY;
      const { bytes } = await this.anywhere((on) => SIZE.one(on, []));
      return DATABASE_SIZE_LIMIT_MB - bytes / MB;
    } catch {
      return DATABASE_DIRECTORY ? undefined : Number.POSITIVE_INFINITY;
    }
  }
}
