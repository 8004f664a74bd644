import { Module } from '@nestjs/common';
import { RaceDayFigures } from '#libs/race-day';
import { RaceDayRunner } from './race-day-runner';
import { RaceDaySweeper } from './race-day-sweeper';

@Module({ providers: [RaceDayRunner, RaceDaySweeper, RaceDayFigures], exports: [RaceDayRunner] })
export class RaceDayModule {}
