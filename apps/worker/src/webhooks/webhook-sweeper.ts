import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { SETTINGS, type Settings } from '#libs/config';
import { JobProducer } from '#libs/jobs';
import { FanOut, Outbox } from '#libs/webhooks';

/** Hands out events as they pass the watermark, and finds deliveries that are due and that no queue knows of. */
@Injectable()
export class WebhookSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('webhooks');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly fanOut: FanOut,
    private readonly outbox: Outbox,
    private readonly producer: JobProducer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    const { WORKER_QUEUES, WEBHOOK_SECRETS_KEY } = this.settings;
    if (WORKER_QUEUES.includes('webhooks') && WEBHOOK_SECRETS_KEY) this.schedule();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  async sweep(): Promise<void> {
    await this.fanOut.run((organizationId, endpointId) =>
      this.producer.enqueue('webhooks', { organizationId, endpointId }),
    );
    for (const endpoint of await this.outbox.dueEndpoints()) this.producer.enqueue('webhooks', endpoint);
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.sweep()
        .catch(({ message }) => this.logger.warn(`looking for webhook deliveries failed: ${message}`))
        .then(() => this.schedule());
    }, this.settings.WEBHOOK_SWEEP_MS);
  }
}
