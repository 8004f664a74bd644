import { Module } from '@nestjs/common';
import { RaceDayMetricsModule, RaceDayService } from '#libs/race-day';
import { RaceDayController } from './race-day.controller';

@Module({ imports: [RaceDayMetricsModule], controllers: [RaceDayController], providers: [RaceDayService] })
export class RaceDayModule {}
