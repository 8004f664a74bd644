import { Module } from '@nestjs/common';
import { IdempotencyKeys } from '#libs/idempotency';
import { RaceDayMetricsModule, RaceDayService } from '#libs/race-day';
import { RaceDayController } from './race-day.controller';

@Module({
  imports: [RaceDayMetricsModule],
  controllers: [RaceDayController],
  providers: [RaceDayService, IdempotencyKeys],
})
export class RaceDayModule {}
