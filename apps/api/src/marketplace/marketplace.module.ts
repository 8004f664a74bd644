import { Module } from '@nestjs/common';
import { CheckoutLinks } from '#libs/events';
import { MarketplaceController } from './marketplace.controller';
import { MarketplaceService } from './marketplace.service';

@Module({ controllers: [MarketplaceController], providers: [MarketplaceService, CheckoutLinks] })
export class MarketplaceModule {}
