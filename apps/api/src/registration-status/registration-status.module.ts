import { Module } from '@nestjs/common';
import { RegistrationStatusService } from '#libs/start-list';
import { RegistrationStatusController } from './registration-status.controller';

@Module({ controllers: [RegistrationStatusController], providers: [RegistrationStatusService] })
export class RegistrationStatusModule {}
