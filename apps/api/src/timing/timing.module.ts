import { Module } from '@nestjs/common';
import { TimingController } from './timing.controller';
import { TimingService } from './timing.service';

@Module({ controllers: [TimingController], providers: [TimingService] })
export class TimingModule {}
