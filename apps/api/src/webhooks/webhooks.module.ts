import { Module } from '@nestjs/common';
import { WebhooksDomainModule } from '#domain/webhooks';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';
import { WebhookEndpointsController } from './webhook-endpoints.controller';

@Module({
  controllers: [WebhookEndpointsController, WebhookDeliveriesController],
  imports: [WebhooksDomainModule],
})
export class WebhooksModule {}
