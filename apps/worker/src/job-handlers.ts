import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Workers } from '#libs/jobs';
import { ImportRunner } from '#libs/imports';
import { ImportsModule } from './imports/imports.module';
import { RaceDayModule } from './race-day/race-day.module';
import { RaceDayRunner } from '#libs/race-day';

/** Who does the jobs of which queue. */
@Module({ imports: [ImportsModule, RaceDayModule] })
export class JobHandlersModule implements OnApplicationBootstrap {
  constructor(
    private readonly workers: Workers,
    private readonly imports: ImportRunner,
    private readonly raceDay: RaceDayRunner,
  ) {}

  onApplicationBootstrap(): void {
    this.workers.start({
      imports: (job, _begin, requestId) => this.imports.run(job, requestId),
      'race-day': this.raceDay.apply,
    });
  }
}
