import { Module } from '@nestjs/common';
import { RegistrationStatusController } from './registration-status.controller';
import { RegistrationStatusService } from '#libs/start-list';

@Module({ controllers: [RegistrationStatusController], providers: [RegistrationStatusService] })
export class RegistrationStatusModule {}
