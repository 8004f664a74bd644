import { Module } from '@nestjs/common';
import { RaceDayFigures } from '#libs/race-day';
import { TimingController } from './timing.controller';
import { TimingService } from './timing.service';

@Module({ controllers: [TimingController], providers: [TimingService, RaceDayFigures] })
export class TimingModule {}
