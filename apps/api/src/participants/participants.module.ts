import { Module } from '@nestjs/common';
import { BookingsDomainModule } from '#domain/bookings';
import { ParticipantsDomainModule } from '#domain/participants';
import { ParticipantsController } from './participants.controller';

@Module({ controllers: [ParticipantsController], imports: [BookingsDomainModule, ParticipantsDomainModule] })
export class ParticipantsModule {}
