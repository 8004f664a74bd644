import { Module } from '@nestjs/common';
import { WebhooksDomainModule } from '#domain/webhooks';
import { ChangeEventsController } from './change-events.controller';

@Module({ controllers: [ChangeEventsController], imports: [WebhooksDomainModule] })
export class ChangeEventsModule {}
