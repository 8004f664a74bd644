import { Module } from '@nestjs/common';
import { PartnersDomainModule } from '#domain/partners';
import { PartnersController } from './partners.controller';

@Module({ controllers: [PartnersController], imports: [PartnersDomainModule] })
export class PartnersModule {}
