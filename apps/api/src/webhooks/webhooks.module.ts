import { Module } from '@nestjs/common';
import { ChangeFeeds } from '#libs/change-events';
import { WebhooksService } from '#libs/webhooks';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';
import { WebhookEndpointsController } from './webhook-endpoints.controller';

@Module({
  controllers: [WebhookEndpointsController, WebhookDeliveriesController],
  providers: [ChangeFeeds, WebhooksService],
})
export class WebhooksModule {}
