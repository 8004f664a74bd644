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
import { organizationsWithOpenJobs } from './open-jobs';

const PLENTY = 100;
const FROM_THE_START = '00000000-0000-0000-0000-000000000000';

/** Enqueues organizations with open import jobs, in case the queue lost one or its worker died. */
@Injectable()
export class ImportSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('imports');
  private after = FROM_THE_START;
  private readonly task = new RepeatedTask(
    this.settings.SWEEP_MS,
    () => this.sweep(),
    ({ message }) => this.logger.warn(`sweep for open jobs failed: ${message}`),
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

  /** A limited number per sweep, to keep the queue short. */
  async sweep(): Promise<void> {
    const most = PLENTY - (await this.producer.waiting('imports'));
    if (most <= 0) return;
    const { after } = this;
    const found = await organizationsWithOpenJobs(this.database, { after, most });
    for (const organizationId of found) this.producer.enqueue('imports', { organizationId });
    this.after = found.length < most ? FROM_THE_START : (found.at(-1) as string);
  }
}
