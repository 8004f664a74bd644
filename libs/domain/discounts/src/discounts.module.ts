import { Module } from '@nestjs/common';
import { DiscountCodesService } from './discount-codes.service';

/** Commands of discount codes, for the modules of the api. */
@Module({ providers: [DiscountCodesService], exports: [DiscountCodesService] })
export class DiscountsDomainModule {}
