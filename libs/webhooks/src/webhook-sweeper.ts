import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { SETTINGS, type Settings } from '#libs/config';
import { JobProducer } from '#libs/jobs';
import { RepeatedTask } from '#libs/timers';
import { FanOut } from './fan-out';
import { Outbox } from './outbox';

/**
 * Creates deliveries of events below the watermark, and enqueues endpoints with due deliveries. The two are independent, so
 * that retries do not wait while very many events become deliveries.
 */
@Injectable()
export class WebhookSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('webhooks');
  private readonly tasks = [() => this.createDeliveries(), () => this.enqueueDue()].map(
    (work) =>
      new RepeatedTask(this.settings.WEBHOOK_SWEEP_MS, work, ({ message }) =>
        this.logger.warn(`sweep for webhook deliveries failed: ${message}`),
      ),
  );

  constructor(
    private readonly fanOut: FanOut,
    private readonly outbox: Outbox,
    private readonly producer: JobProducer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Only in workers that send webhooks, because others can't decrypt the secrets. */
  onApplicationBootstrap(): void {
    const { WORKER_QUEUES, WEBHOOK_SECRETS_KEY } = this.settings;
    if (WORKER_QUEUES.includes('webhooks') && WEBHOOK_SECRETS_KEY)
      for (const task of this.tasks) task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  private createDeliveries(): Promise<void> {
    return this.fanOut.run((organizationId, endpointId) =>
      this.producer.enqueue('webhooks', { organizationId, endpointId }),
    );
  }

  private async enqueueDue(): Promise<void> {
    for (const endpoint of await this.outbox.dueEndpoints()) this.producer.enqueue('webhooks', endpoint);
  }
}
