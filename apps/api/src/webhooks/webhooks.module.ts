import { Module } from '@nestjs/common';
import { ChangeFeeds } from '#libs/change-events';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';
import { WebhookEndpointsController } from './webhook-endpoints.controller';
import { WebhooksService } from './webhooks.service';

@Module({
  controllers: [WebhookEndpointsController, WebhookDeliveriesController],
  providers: [ChangeFeeds, WebhooksService],
})
export class WebhooksModule {}
