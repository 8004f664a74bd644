import { Module } from '@nestjs/common';
import { RaceDayMetricsModule } from '#libs/race-day';
import { RaceDayRunner } from '#libs/race-day';
import { RaceDaySweeper } from '#libs/race-day';

@Module({
  imports: [RaceDayMetricsModule],
  providers: [RaceDayRunner, RaceDaySweeper],
  exports: [RaceDayRunner],
})
export class RaceDayModule {}
