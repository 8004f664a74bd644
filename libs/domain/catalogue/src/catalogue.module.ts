import { Module } from '@nestjs/common';
import { CheckoutLinks } from './checkout-url';
import { MarketplaceService } from './marketplace/marketplace.service';
import { CatalogueFiles } from './write/catalogue-files.service';
import { CatalogueWriter } from './write/write-catalogue.service';

/** The marketplace, links to the checkout, the reader of files and the writer, for the modules of the api. */
@Module({
  providers: [CheckoutLinks, MarketplaceService, CatalogueFiles, CatalogueWriter],
  exports: [CheckoutLinks, MarketplaceService, CatalogueFiles, CatalogueWriter],
})
export class CatalogueDomainModule {}
