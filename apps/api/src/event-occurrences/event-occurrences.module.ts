import { Module } from '@nestjs/common';
import { CatalogueDomainModule } from '#domain/catalogue';
import { EventOccurrencesController } from './event-occurrences.controller';

@Module({ controllers: [EventOccurrencesController], imports: [CatalogueDomainModule] })
export class EventOccurrencesModule {}
