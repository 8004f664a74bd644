import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { RepeatedTask } from '#libs/timers';
import { Database } from './database';

/** A watermark, and where the primary's write-ahead log ended when it had been read. */
interface Reading {
  at: string;
  logEnd: number;
  /** When it stopped being the newest, by this process's steady clock. */
  supersededAt?: number;
}

/**
 * The moment below which nothing can appear any more: every `updated_at` that is still to become visible is
 * later. Lists by `updatedAt` end at it, so that a poller which keeps the highest one it saw misses nothing.
 * It is read in the background, so that requests pay nothing for it, and it never goes back.
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
    // While the database is away the watermark stays where it is: late, never wrong.
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
   * The newest one that holds for a replica too, or undefined where it is too far behind: all that was committed
   * below it stood in the log before `logEnd` was read, and the replica shows it.
   *
   * @param replayedTo how far the replica has replayed the log
   */
  replayed(replayedTo: number): string | undefined {
    this.forget();
    return this.readings.findLast(({ logEnd }) => logEnd <= replayedTo)?.at;
  }

  /** How far it lies behind the clock; grows while a long transaction writes. */
  lagMs(): number {
    return Date.now() - Date.parse(this.at);
  }

  private async refresh(): Promise<void> {
    // Materialized: the log's end is read after the watermark. A transaction that the watermark saw ended has its commit
    // in the log by then, though perhaps only in memory: hence where it is inserted to, not where it is written to.
    const [row] = await this.database.tuples<[string | null, string | null]>(
      `WITH seen AS MATERIALIZED (SELECT horizon() AS at)
       SELECT at, CASE WHEN NOT pg_is_in_recovery() THEN (pg_current_wal_insert_lsn() - '0/0')::text END FROM seen`,
    );
    const [at, logEnd] = row ?? [];
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
