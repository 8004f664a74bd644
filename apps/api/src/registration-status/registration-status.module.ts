import { Module } from '@nestjs/common';
import { ParticipantsDomainModule } from '#domain/participants';
import { RegistrationStatusController } from './registration-status.controller';

@Module({ controllers: [RegistrationStatusController], imports: [ParticipantsDomainModule] })
export class RegistrationStatusModule {}
