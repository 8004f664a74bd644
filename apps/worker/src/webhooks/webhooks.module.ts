import { Module } from '@nestjs/common';
import { FanOut, Outbox, WebhookCollector } from '#libs/webhooks';
import { WebhookRunner } from './webhook-runner';
import { WebhookSweeper } from './webhook-sweeper';

@Module({
  providers: [FanOut, Outbox, WebhookRunner, WebhookSweeper, WebhookCollector],
  exports: [WebhookRunner],
})
export class WebhooksModule {}
