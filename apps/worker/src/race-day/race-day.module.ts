import { Module } from '@nestjs/common';
import { RaceDayMetricsModule } from '#libs/race-day';
import { RaceDayRunner } from './race-day-runner';
import { RaceDaySweeper } from './race-day-sweeper';

@Module({
  imports: [RaceDayMetricsModule],
  providers: [RaceDayRunner, RaceDaySweeper],
  exports: [RaceDayRunner],
})
export class RaceDayModule {}
