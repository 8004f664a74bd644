import { Module } from '@nestjs/common';
import { CorrectionsService } from '#libs/bookings';
import { ParticipantsExport } from '#libs/start-list';
import { ParticipantsController } from './participants.controller';

@Module({ controllers: [ParticipantsController], providers: [ParticipantsExport, CorrectionsService] })
export class ParticipantsModule {}
