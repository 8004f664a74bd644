import { Module } from '@nestjs/common';
import { ReferralsDomainModule } from '#domain/referrals';
import { ReferralsController } from './referrals.controller';

@Module({ controllers: [ReferralsController], imports: [ReferralsDomainModule] })
export class ReferralsModule {}
