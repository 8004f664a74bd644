import { Module } from '@nestjs/common';
import { RegistrationStatusController } from './registration-status.controller';
import { RegistrationStatusService } from './registration-status.service';

@Module({ controllers: [RegistrationStatusController], providers: [RegistrationStatusService] })
export class RegistrationStatusModule {}
