import { Module } from '@nestjs/common';
import { DiscountsDomainModule } from '#domain/discounts';
import { DiscountCodesController } from './discount-codes.controller';

@Module({ controllers: [DiscountCodesController], imports: [DiscountsDomainModule] })
export class DiscountCodesModule {}
