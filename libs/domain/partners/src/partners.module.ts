import { Module } from '@nestjs/common';
import { PartnersService } from './partners.service';

/** Commands of partners, for the modules of the api. */
@Module({ providers: [PartnersService], exports: [PartnersService] })
export class PartnersDomainModule {}
