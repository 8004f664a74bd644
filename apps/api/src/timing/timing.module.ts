import { Module } from '@nestjs/common';
import { RaceDayCollector } from '#libs/race-day';
import { TimingController } from './timing.controller';
import { TimingService } from './timing.service';

@Module({ controllers: [TimingController], providers: [TimingService, RaceDayCollector] })
export class TimingModule {}
