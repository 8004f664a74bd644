import { Module } from '@nestjs/common';
import { RacesController } from './races.controller';

@Module({ controllers: [RacesController] })
export class RacesModule {}
