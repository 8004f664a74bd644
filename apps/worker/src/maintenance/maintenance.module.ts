import { Module } from '@nestjs/common';
import { Maintenance } from './maintenance';

@Module({ providers: [Maintenance] })
export class MaintenanceModule {}
