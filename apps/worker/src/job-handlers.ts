import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Workers } from '#libs/jobs';
import { ImportRunner } from './imports/import-runner';
import { ImportsModule } from './imports/imports.module';
import { RaceDayModule } from './race-day/race-day.module';
import { RaceDayRunner } from './race-day/race-day-runner';

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
      imports: this.imports.work,
      'race-day': this.raceDay.apply,
    });
  }
}
