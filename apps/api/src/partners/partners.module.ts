import { Module } from '@nestjs/common';
import { PartnersService } from '#libs/partners';
import { PartnersController } from './partners.controller';

@Module({ controllers: [PartnersController], providers: [PartnersService] })
export class PartnersModule {}
