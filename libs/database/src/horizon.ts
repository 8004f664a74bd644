import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database } from './database';

/**
 * The moment below which nothing can appear any more: every `updated_at` that is still to become visible is
 * later. Lists by `updatedAt` end at it, so that a poller which keeps the highest one it saw misses nothing.
 * It is read in the background, so that requests pay nothing for it, and it never goes back.
 */
@Injectable()
export class Horizon implements OnModuleInit, OnApplicationShutdown {
  private at = '0001-01-01T00:00:00.000000Z';
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> | undefined;

  /** @param refreshMs how often it is read */
  constructor(
    private readonly database: Database,
    private readonly refreshMs: number,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.refresh();
    this.schedule();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.reading;
  }

  /** ISO 8601 with microseconds. */
  now(): string {
    return this.at;
  }

  /** How far it lies behind the clock; grows while a long transaction writes. */
  lagMs(): number {
    return Date.now() - Date.parse(this.at);
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      // While the database is away the horizon stays where it is: late, never wrong.
      this.reading = this.refresh().catch(() => {});
      void this.reading.then(() => this.schedule());
    }, this.refreshMs).unref();
  }

  private async refresh(): Promise<void> {
    const [row] = await this.database.tuples<[string | null]>('SELECT horizon()');
    if (row?.[0] && row[0] > this.at) this.at = row[0];
  }
}
