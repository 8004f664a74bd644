import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { ImportRunner } from '#domain/imports';
import { RaceDayRunner } from '#domain/race-day';
import { WebhookRunner } from '#domain/webhooks';
import { Workers } from '#platform/queues';
import { ImportsModule } from './imports/imports.module';
import { RaceDayModule } from './race-day/race-day.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** The handlers of the queues. */
@Module({ imports: [ImportsModule, RaceDayModule, WebhooksModule] })
export class JobHandlersModule implements OnApplicationBootstrap {
  constructor(
    private readonly workers: Workers,
    private readonly imports: ImportRunner,
    private readonly raceDay: RaceDayRunner,
    private readonly webhooks: WebhookRunner,
  ) {}

  onApplicationBootstrap(): void {
    this.workers.start({
      imports: this.imports.work,
      'race-day': this.raceDay.apply,
      webhooks: this.webhooks.deliver,
    });
  }
}
