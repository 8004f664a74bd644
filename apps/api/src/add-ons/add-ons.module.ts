import { Module } from '@nestjs/common';
import { AddOnsController } from './add-ons.controller';

@Module({ controllers: [AddOnsController] })
export class AddOnsModule {}
