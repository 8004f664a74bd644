import { Module } from '@nestjs/common';
import { RaceDayDomainModule } from '#domain/race-day';
import { RaceDayController } from './race-day.controller';

@Module({
  imports: [RaceDayDomainModule],
  controllers: [RaceDayController],
})
export class RaceDayModule {}
