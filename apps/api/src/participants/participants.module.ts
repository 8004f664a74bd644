import { Module } from '@nestjs/common';
import { ParticipantsExport } from '#libs/start-list';
import { ParticipantsController } from './participants.controller';

@Module({ controllers: [ParticipantsController], providers: [ParticipantsExport] })
export class ParticipantsModule {}
