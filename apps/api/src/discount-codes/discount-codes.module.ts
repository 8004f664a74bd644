import { Module } from '@nestjs/common';
import { DiscountCodesService } from '#libs/discounts';
import { DiscountCodesController } from './discount-codes.controller';

@Module({ controllers: [DiscountCodesController], providers: [DiscountCodesService] })
export class DiscountCodesModule {}
