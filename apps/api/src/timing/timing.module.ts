import { Module } from '@nestjs/common';
import { ParticipantsDomainModule } from '#domain/participants';
import { RaceDayDomainModule } from '#domain/race-day';
import { TimingController } from './timing.controller';

@Module({
  imports: [ParticipantsDomainModule, RaceDayDomainModule],
  controllers: [TimingController],
})
export class TimingModule {}
