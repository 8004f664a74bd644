import { Module } from '@nestjs/common';
import { ParticipantsDomainModule } from '#domain/participants';
import { ParticipantsController } from './participants.controller';

@Module({ controllers: [ParticipantsController], imports: [ParticipantsDomainModule] })
export class ParticipantsModule {}
