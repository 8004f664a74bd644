import { Module } from '@nestjs/common';
import { ChangeFeeds } from './change-events/change-feeds';
import { WebhooksService } from './webhooks.service';

/** Change feeds and webhook endpoints, for the modules of the api. */
@Module({ providers: [ChangeFeeds, WebhooksService], exports: [ChangeFeeds, WebhooksService] })
export class WebhooksDomainModule {}
