import { Module } from '@nestjs/common';
import { RaceDayMetricsModule } from '#libs/race-day';
import { RaceDayController } from './race-day.controller';
import { RaceDayService } from '#libs/race-day';

@Module({ imports: [RaceDayMetricsModule], controllers: [RaceDayController], providers: [RaceDayService] })
export class RaceDayModule {}
