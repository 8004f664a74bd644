import { Module } from '@nestjs/common';
import { RaceDayMetricsModule } from '#libs/race-day';
import { TimingController } from './timing.controller';
import { TimingService } from '#libs/race-day';

@Module({
  imports: [RaceDayMetricsModule],
  controllers: [TimingController],
  providers: [TimingService],
})
export class TimingModule {}
