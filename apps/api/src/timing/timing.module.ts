import { Module } from '@nestjs/common';
import { RaceDayMetricsModule, TimingService } from '#libs/race-day';
import { TimingController } from './timing.controller';

@Module({
  imports: [RaceDayMetricsModule],
  controllers: [TimingController],
  providers: [TimingService],
})
export class TimingModule {}
