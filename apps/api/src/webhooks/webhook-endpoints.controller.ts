import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  pingOf,
  WEBHOOK_ENDPOINT,
  WEBHOOK_ENDPOINTS,
  WebhookDone,
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointUpdate,
  WebhookEndpointWithSecret,
  WebhookPing,
  WebhooksService,
} from '#domain/webhooks';
import type { Caller } from '#platform/access';
import { Act, type Acting, Call, madeBy, Operation, Page, RECORD, repeatedAs } from '#platform/http';
import { type ListRequest, Lists, Reads } from '#platform/queries';
import { TIGHT, WIDE } from './webhook-operations';

@Controller('v0/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  @Get()
  @Operation({
    ...WIDE,
    name: 'listWebhookEndpoints',
    permission: 'webhooks:read',
    summary: 'List webhook endpoints',
    answers: WEBHOOK_ENDPOINTS,
  })
  list(@Page() page: ListRequest) {
    return this.lists.page(WEBHOOK_ENDPOINTS, page);
  }

  @Post()
  @Operation({
    ...TIGHT,
    name: 'createWebhookEndpoint',
    idempotent: {
      made: madeBy(),
      answer: ({ caller, id, get }) => get(WebhooksService).withStoredSecret(caller, id),
    },
    permission: 'webhooks:write',
    summary: 'Create a webhook endpoint',
    description:
      'The endpoint receives events from now on. The response contains the secret, which is not shown again.',
    body: WebhookEndpointCreate,
    answers: WebhookEndpointWithSecret,
  })
  create(@Call() caller: Caller, @Act() { actor }: Acting, @Body() body: WebhookEndpointCreate) {
    return this.webhooks.create(caller, actor, body);
  }

  @Post(':id/rotate-secret')
  @Operation({
    ...TIGHT,
    name: 'rotateWebhookSecret',
    writes: RECORD,
    idempotent: {
      answer: ({ caller, id, get }) => get(WebhooksService).withStoredSecret(caller, id),
    },
    permission: 'webhooks:write',
    summary: 'Rotate the secret of a webhook endpoint',
    description: 'For 24 hours, deliveries are signed with both the new and the old secret.',
    answers: WebhookEndpointWithSecret,
  })
  rotate(@Call() caller: Caller, @Act() { actor }: Acting, @Param('id') id: string) {
    return this.webhooks.rotate(caller, actor, id);
  }

  @Post(':id/ping')
  @Operation({
    ...TIGHT,
    name: 'pingWebhookEndpoint',
    writes: RECORD,
    idempotent: { made: madeBy(), answer: async ({ id }) => pingOf(id) },
    permission: 'webhooks:write',
    summary: 'Send a test event to a webhook endpoint',
    description: 'The type of the event is `webhook_endpoint.ping`. Read the delivery for its outcome.',
    answers: WebhookPing,
  })
  ping(@Call() caller: Caller, @Param('id') id: string) {
    return this.webhooks.ping(caller, id);
  }

  @Get(':id')
  @Operation({
    ...WIDE,
    name: 'getWebhookEndpoint',
    permission: 'webhooks:read',
    summary: 'Read a webhook endpoint',
    answers: WebhookEndpoint,
  })
  get(@Call() caller: Caller, @Param('id') id: string) {
    return this.reads.one(WEBHOOK_ENDPOINT, caller, id);
  }

  @Patch(':id')
  @Operation({
    ...WIDE,
    name: 'updateWebhookEndpoint',
    idempotent: repeatedAs(WEBHOOK_ENDPOINT),
    permission: 'webhooks:write',
    summary: 'Change a webhook endpoint',
    description:
      'Properties that are absent do not change. While an endpoint is disabled, no new deliveries are created, and pending deliveries wait. When it is enabled again, the pending deliveries and new events are sent; for the events in between, read the list of change events.',
    body: WebhookEndpointUpdate,
    answers: WebhookEndpoint,
  })
  update(
    @Call() caller: Caller,
    @Act() { actor }: Acting,
    @Param('id') id: string,
    @Body() body: WebhookEndpointUpdate,
  ) {
    return this.webhooks.update(caller, actor, id, body);
  }

  @Delete(':id')
  @Operation({
    ...WIDE,
    name: 'deleteWebhookEndpoint',
    permission: 'webhooks:write',
    summary: 'Delete a webhook endpoint',
    description: 'Pending deliveries are removed. Others stay in the list, and can no longer be sent again.',
    answers: WebhookDone,
  })
  delete(@Call() caller: Caller, @Act() { actor }: Acting, @Param('id') id: string) {
    return this.webhooks.delete(caller, actor, id);
  }
}
