import { Module } from '@nestjs/common';
import { RaceDayMetricsModule, RaceDayRunner } from '#domain/race-day';

@Module({
  imports: [RaceDayMetricsModule],
  providers: [RaceDayRunner],
  exports: [RaceDayRunner],
})
export class RaceDayModule {}
