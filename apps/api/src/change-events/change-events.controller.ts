import { Controller, Get } from '@nestjs/common';
import { CHANGE_EVENTS, ChangeFeeds } from '#domain/webhooks';
import { Operation, Page } from '#platform/http';
import { type ListRequest, Lists } from '#platform/queries';
import { operationsOf } from '../operations-of';

@Controller('v0/change-events')
export class ChangeEventsController {
  constructor(
    private readonly feeds: ChangeFeeds,
    private readonly lists: Lists,
  ) {}

  @Get()
  @Operation({
    ...operationsOf('ChangeEvents', 'changeEvents:read'),
    name: 'listChangeEvents',
    summary: 'List change events',
    description:
      'Oldest first. Changes are recorded from your first request to this list, or from your first webhook endpoint. To follow them, store `last` of the last page that was not empty and send it as `page[after]`. Events are kept for 30 days.',
    etag: true,
    answers: CHANGE_EVENTS,
  })
  async list(@Page() page: ListRequest) {
    await this.feeds.switchOn(page.caller.organizationId);
    return this.lists.page(CHANGE_EVENTS, page);
  }
}
