import { Module } from '@nestjs/common';
import { CorrectionsService } from '#libs/bookings';
import { ParticipantsController } from './participants.controller';

@Module({ controllers: [ParticipantsController], providers: [CorrectionsService] })
export class ParticipantsModule {}
