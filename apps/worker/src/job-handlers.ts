import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { ImportRunner } from '#domain/imports';
import { PersonRunner } from '#domain/participants';
import { RaceDayRunner } from '#domain/race-day';
import { WebhookRunner } from '#domain/webhooks';
import { Workers } from '#platform/queues';
import { ImportsModule } from './imports/imports.module';
import { RaceDayModule } from './race-day/race-day.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** The handlers of the queues. */
@Module({ imports: [ImportsModule, RaceDayModule, WebhooksModule], providers: [PersonRunner] })
export class JobHandlersModule implements OnApplicationBootstrap {
  constructor(
    private readonly workers: Workers,
    private readonly imports: ImportRunner,
    private readonly raceDay: RaceDayRunner,
    private readonly persons: PersonRunner,
    private readonly webhooks: WebhookRunner,
  ) {}

  onApplicationBootstrap(): void {
    this.workers.start({
      imports: this.imports.work,
      'race-day': this.raceDay.apply,
      persons: this.persons.work,
      webhooks: this.webhooks.deliver,
    });
  }
}
