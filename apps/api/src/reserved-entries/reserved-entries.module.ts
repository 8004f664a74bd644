import { Module } from '@nestjs/common';
import { ReservedEntriesController } from './reserved-entries.controller';

@Module({ controllers: [ReservedEntriesController] })
export class ReservedEntriesModule {}
