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
import { RepeatedTask } from '#libs/timers';
import { FORGET_WAITING, PENDING, REOPEN_WAITING } from './waiting';

/** Finds messages that the queue lost, and messages whose participant exists by now. */
@Injectable()
export class RaceDaySweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('race day');
  private readonly tasks = [
    new RepeatedTask(
      this.settings.SWEEP_MS,
      () => this.enqueuePending(),
      (error) => this.logger.error(error),
    ),
    new RepeatedTask(
      this.settings.MAINTENANCE_MS,
      () => this.reopenWaiting(),
      (error) => this.logger.error(error),
    ),
  ];

  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
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
}
