import { Module } from '@nestjs/common';
import { RaceDayCollector } from '#libs/race-day';
import { RaceDayRunner } from './race-day-runner';
import { RaceDaySweeper } from './race-day-sweeper';

@Module({ providers: [RaceDayRunner, RaceDaySweeper, RaceDayCollector], exports: [RaceDayRunner] })
export class RaceDayModule {}
