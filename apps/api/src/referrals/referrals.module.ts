import { Module } from '@nestjs/common';
import { CheckoutLinks } from '#libs/events';
import { ReferralsService } from '#libs/referrals';
import { ReferralsController } from './referrals.controller';

@Module({ controllers: [ReferralsController], providers: [ReferralsService, CheckoutLinks] })
export class ReferralsModule {}
