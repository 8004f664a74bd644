import { Module } from '@nestjs/common';
import { ChangeFeeds } from '#libs/change-events';
import { ChangeEventsController } from './change-events.controller';

@Module({ controllers: [ChangeEventsController], providers: [ChangeFeeds] })
export class ChangeEventsModule {}
