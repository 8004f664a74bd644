import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { RepeatedTask } from '#libs/timers';
import { Database } from './database';
import { statement } from './statement';

/**
 * MATERIALIZED: the end of the log must be read after the watermark. The commit of every transaction that the watermark
 * covers is then in the log, but possibly only in memory: so this reads the insert position, not the write position.
 */
const READ = statement({
  columns: { at: 'text?', logEnd: 'text?' },
  sql: `
    WITH seen AS MATERIALIZED (SELECT horizon() AS at)
    SELECT at, CASE WHEN NOT pg_is_in_recovery() THEN (pg_current_wal_insert_lsn() - '0/0')::text END AS "logEnd" FROM seen
  `,
  prepared: true,
});

/** A watermark, and the end of the primary's write-ahead log after it was read. */
interface Reading {
  at: string;
  logEnd: number;
  /** When a newer watermark replaced it, by the monotonic clock of this process. */
  supersededAt?: number;
}

/**
 * The time below which no new changes can appear: every `updated_at` that becomes visible later is greater. Lists by
 * `updatedAt` end at it, so that a poller that stores the highest `updatedAt` misses nothing. It is read in the
 * background, so that requests do not wait for it, and it never decreases.
 */
@Injectable()
export class Watermark implements OnModuleInit, OnApplicationShutdown {
  private at = '0001-01-01T00:00:00.000000Z';
  /** Oldest first. */
  private readings: Reading[] = [];
  private readonly task: RepeatedTask;

  /**
   * @param refreshMs how often it is read
   * @param keptMs how long earlier ones are kept, for a replica
   */
  constructor(
    private readonly database: Database,
    refreshMs: number,
    private readonly keptMs = 0,
  ) {
    // While the database is unavailable, the watermark does not advance: lists are late, but not wrong.
    this.task = new RepeatedTask(
      refreshMs,
      () => this.refresh(),
      () => {},
    );
  }

  async onModuleInit(): Promise<void> {
    await this.refresh();
    this.task.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** ISO 8601 with microseconds. */
  now(): string {
    return this.at;
  }

  /**
   * The newest watermark that is valid on a replica, or `undefined` if its lag is too large. Everything that was committed
   * below it was in the log before `logEnd` was read, so the replica shows it.
   *
   * @param replayedTo the replay position of the replica
   */
  replayed(replayedTo: number): string | undefined {
    this.forget();
    return this.readings.findLast(({ logEnd }) => logEnd <= replayedTo)?.at;
  }

  /** The lag behind the clock. It grows while a long transaction writes. */
  lagMs(): number {
    return Date.now() - Date.parse(this.at);
  }

  private async refresh(): Promise<void> {
    const { at, logEnd } = await READ.one(this.database);
    if (!at || !logEnd || at <= this.at) return;
    const newest = this.readings.at(-1);
    if (newest) newest.supersededAt = performance.now();
    this.at = at;
    this.readings.push({ at, logEnd: Number(logEnd) });
    this.forget();
  }

  private forget(): void {
    const oldest = performance.now() - this.keptMs;
    while ((this.readings[0]?.supersededAt ?? Number.POSITIVE_INFINITY) < oldest) this.readings.shift();
  }
}
