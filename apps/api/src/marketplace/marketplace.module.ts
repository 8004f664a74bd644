import { Module } from '@nestjs/common';
import { CatalogueDomainModule } from '#domain/catalogue';
import { MarketplaceController } from './marketplace.controller';

@Module({ controllers: [MarketplaceController], imports: [CatalogueDomainModule] })
export class MarketplaceModule {}
