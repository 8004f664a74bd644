import { Module } from '@nestjs/common';
import { FanOut, Outbox, WebhookMetrics, WebhookRunner, WebhookSweeper } from '#libs/webhooks';

@Module({
  providers: [FanOut, Outbox, WebhookMetrics, WebhookRunner, WebhookSweeper],
  exports: [WebhookRunner],
})
export class WebhooksModule {}
