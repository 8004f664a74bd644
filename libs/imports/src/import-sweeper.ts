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
import { forgottenJobs } from './open-jobs';

const PLENTY = 100;

/** Finds import jobs that the queue lost, or whose worker died, and enqueues them. */
@Injectable()
export class ImportSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('imports');
  private readonly task = new RepeatedTask(
    this.settings.SWEEP_MS,
    () => this.sweep(),
    ({ message }) => this.logger.warn(`looking for forgotten jobs failed: ${message}`),
  );

  constructor(
    private readonly database: Database,
    private readonly producer: JobProducer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** While the queue has plenty, jobs merely wait their turn, and more jobs would only pile up. */
  async sweep(): Promise<void> {
    const most = PLENTY - (await this.producer.waiting('imports'));
    if (most <= 0) return;
    const idleMs = this.settings.SWEEP_MS;
    const forgotten = await forgottenJobs(this.database.dataSource.manager, { idleMs, most });
    for (const job of forgotten) this.producer.enqueue('imports', job);
  }
}
