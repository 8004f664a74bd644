import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { SETTINGS, type Settings } from '#libs/config';
import { Database } from '#libs/database';
import { JobProducer } from '#libs/jobs';
import { FORGET_WAITING, PENDING, REOPEN_WAITING } from '#libs/race-day';

/** Finds messages that no queue knows of any more, and those that wait for somebody who has appeared. */
@Injectable()
export class RaceDaySweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('race day');
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly running = new Set<Promise<void>>();
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.every(this.settings.SWEEP_MS, () => this.enqueuePending());
    this.every(this.settings.MAINTENANCE_MS, () => this.reopenWaiting());
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all(this.running);
  }

  async enqueuePending(): Promise<void> {
    const pending = await this.query<{ organizationId: string }>(PENDING);
    for (const { organizationId } of pending) this.producer.enqueue('race-day', { organizationId });
  }

  async reopenWaiting(): Promise<void> {
    await this.query(FORGET_WAITING, [this.settings.UNIDENTIFIED_DAYS]);
    await this.query(REOPEN_WAITING);
  }

  /** Not prepared: a plan made while the log was all but empty would read all of it, every few seconds. */
  private query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.database.dataSource.query(text, values);
  }

  private every(ms: number, work: () => Promise<void>): void {
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      const run = work()
        .catch((error) => this.logger.error(error))
        .finally(() => {
          this.running.delete(run);
          this.every(ms, work);
        });
      this.running.add(run);
    }, ms);
    this.timers.add(timer);
  }
}
