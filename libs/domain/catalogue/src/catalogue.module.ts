import { Module } from '@nestjs/common';
import { CheckoutLinks } from './checkout-url';
import { MarketplaceService } from './marketplace/marketplace.service';
import { CatalogueWriter } from './write/write-catalogue.service';

/** The marketplace, links to the checkout, and the writer, for the modules of the api. */
@Module({
  providers: [CheckoutLinks, MarketplaceService, CatalogueWriter],
  exports: [CheckoutLinks, MarketplaceService, CatalogueWriter],
})
export class CatalogueDomainModule {}
