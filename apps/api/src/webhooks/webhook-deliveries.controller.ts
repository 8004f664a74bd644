import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import {
  WEBHOOK_DELIVERIES,
  WEBHOOK_DELIVERY,
  WebhookDelivery,
  WebhookRetried,
  WebhookRetry,
  WebhooksService,
} from '#domain/webhooks';
import type { Caller } from '#platform/access';
import { Call, Operation, Page, RECORD, recordsOf, repeatedAs } from '#platform/http';
import { type ListRequest, Lists, Reads } from '#platform/queries';
import { TIGHT, WIDE } from './webhook-operations';

@Controller('v0/webhook-deliveries')
export class WebhookDeliveriesController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  @Get()
  @Operation({
    ...WIDE,
    name: 'listWebhookDeliveries',
    permission: 'webhooks:read',
    summary: 'List webhook deliveries',
    description: 'Newest first, with their attempts. Deliveries are kept for 30 days.',
    answers: WEBHOOK_DELIVERIES,
  })
  list(@Page() page: ListRequest) {
    return this.lists.page(WEBHOOK_DELIVERIES, page);
  }

  @Post('retry')
  @Operation({
    ...TIGHT,
    name: 'retryFailedWebhookDeliveries',
    writes: recordsOf('deliveries'),
    idempotent: {
      // Those that have failed since then, or that the first request did not reach.
      answer: ({ caller, body, get }) => get(WebhooksService).retryFailed(caller, body as WebhookRetry),
    },
    permission: 'webhooks:write',
    summary: 'Send failed webhook deliveries again',
    description:
      'Selects all failed deliveries that were created since a point in time. Each gets the full schedule of retries again.',
    body: WebhookRetry,
    answers: WebhookRetried,
  })
  retryFailed(@Call() caller: Caller, @Body() body: WebhookRetry) {
    return this.webhooks.retryFailed(caller, body);
  }

  @Get(':id')
  @Operation({
    ...WIDE,
    name: 'getWebhookDelivery',
    permission: 'webhooks:read',
    summary: 'Read a webhook delivery',
    answers: WebhookDelivery,
  })
  get(@Call() caller: Caller, @Param('id') id: string) {
    return this.reads.one(WEBHOOK_DELIVERY, caller, id);
  }

  @Post(':id/retry')
  @Operation({
    ...TIGHT,
    name: 'retryWebhookDelivery',
    writes: RECORD,
    idempotent: repeatedAs(WEBHOOK_DELIVERY),
    permission: 'webhooks:write',
    summary: 'Send a webhook delivery again',
    description:
      'In any state. If its event was deleted after its retention period, the response is `404`; if its endpoint was deleted, `400`.',
    answers: WebhookDelivery,
  })
  retry(@Call() caller: Caller, @Param('id') id: string) {
    return this.webhooks.retry(caller, id);
  }
}
