import { Module } from '@nestjs/common';
import { CatalogueDomainModule } from '#domain/catalogue';
import { ReferralsService } from './referrals.service';

/** The lists of referrers, for the modules of the api. */
@Module({ imports: [CatalogueDomainModule], providers: [ReferralsService], exports: [ReferralsService] })
export class ReferralsDomainModule {}
