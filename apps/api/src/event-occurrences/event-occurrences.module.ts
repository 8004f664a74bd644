import { Module } from '@nestjs/common';
import { CheckoutLinks } from '#libs/events';
import { EventOccurrencesController } from './event-occurrences.controller';

@Module({ controllers: [EventOccurrencesController], providers: [CheckoutLinks] })
export class EventOccurrencesModule {}
