import { Module } from '@nestjs/common';
import { ReferralsService } from '#libs/referrals';
import { ReferralsController } from './referrals.controller';

@Module({ controllers: [ReferralsController], providers: [ReferralsService] })
export class ReferralsModule {}
