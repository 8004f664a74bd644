import { Module } from '@nestjs/common';
import { ReferralsController } from './referrals.controller';
import { ReferralsService } from '#libs/referrals';

@Module({ controllers: [ReferralsController], providers: [ReferralsService] })
export class ReferralsModule {}
