import { Module } from '@nestjs/common';
import { RaceDayController } from './race-day.controller';
import { RaceDayService } from './race-day.service';

@Module({ controllers: [RaceDayController], providers: [RaceDayService] })
export class RaceDayModule {}
