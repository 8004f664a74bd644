import { Module } from '@nestjs/common';
import { RaceDayMetricsModule, RaceDayRunner, RaceDaySweeper } from '#libs/race-day';

@Module({
  imports: [RaceDayMetricsModule],
  providers: [RaceDayRunner, RaceDaySweeper],
  exports: [RaceDayRunner],
})
export class RaceDayModule {}
