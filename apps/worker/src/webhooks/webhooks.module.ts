import { Module } from '@nestjs/common';
import { FanOut, Outbox, WebhookMetrics, WebhookRunner } from '#domain/webhooks';

@Module({
  providers: [FanOut, Outbox, WebhookMetrics, WebhookRunner],
  exports: [FanOut, Outbox, WebhookRunner],
})
export class WebhooksModule {}
