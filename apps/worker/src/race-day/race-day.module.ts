import { Module } from '@nestjs/common';
import { RaceDayRunner } from './race-day-runner';
import { RaceDaySweeper } from './race-day-sweeper';

@Module({ providers: [RaceDayRunner, RaceDaySweeper], exports: [RaceDayRunner] })
export class RaceDayModule {}
