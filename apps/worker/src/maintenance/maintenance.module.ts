import { Module } from '@nestjs/common';
import { Maintenance } from './maintenance';
import { Refreshes } from './refreshes';

@Module({ providers: [Maintenance, Refreshes] })
export class MaintenanceModule {}
