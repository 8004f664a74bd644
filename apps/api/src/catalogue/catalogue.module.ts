import { Module } from '@nestjs/common';
import { CatalogueDomainModule } from '#domain/catalogue';
import { CatalogueController } from './catalogue.controller';

export { WRITE_CATALOGUE } from './catalogue-operation';

@Module({ controllers: [CatalogueController], imports: [CatalogueDomainModule] })
export class CatalogueModule {}
