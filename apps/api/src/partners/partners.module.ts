import { Module } from '@nestjs/common';
import { PartnersController } from './partners.controller';
import { PartnersService } from '#libs/partners';

@Module({ controllers: [PartnersController], providers: [PartnersService] })
export class PartnersModule {}
