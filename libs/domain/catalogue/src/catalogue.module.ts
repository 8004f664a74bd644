import { Module } from '@nestjs/common';
import { CheckoutLinks } from './checkout-url';
import { MarketplaceService } from './marketplace/marketplace.service';

/** The marketplace, and links to the checkout, for the modules of the api. */
@Module({ providers: [CheckoutLinks, MarketplaceService], exports: [CheckoutLinks, MarketplaceService] })
export class CatalogueDomainModule {}
