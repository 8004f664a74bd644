import { Module } from '@nestjs/common';
import { RaceDayService } from './race-day.service';
import { RaceDayMetricsModule } from './race-day-metrics';
import { TimingService } from './timing.service';

/** Acceptance of race-day updates and timing messages, for the modules of the api. */
@Module({
  imports: [RaceDayMetricsModule],
  providers: [RaceDayService, TimingService],
  exports: [RaceDayService, TimingService],
})
export class RaceDayDomainModule {}
