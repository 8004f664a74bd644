import { Module } from '@nestjs/common';
import { CheckoutLinks, MarketplaceService } from '#libs/events';
import { MarketplaceController } from './marketplace.controller';

@Module({ controllers: [MarketplaceController], providers: [MarketplaceService, CheckoutLinks] })
export class MarketplaceModule {}
