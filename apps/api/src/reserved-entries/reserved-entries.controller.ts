import { Controller, Get } from '@nestjs/common';
import { Operation, Page } from '#libs/http';
import { GROUPS_OF_EVENT, GROUPS_OF_OCCURRENCE } from '#libs/reserved-entries';
import { type JsonText, type ListRequest, Lists } from '#libs/resources';

@Controller('v0')
export class ReservedEntriesController {
  constructor(private readonly lists: Lists) {}

  @Get('event-occurrences/:id/reserved-entries')
  @Operation({
    name: 'listEventOccurrenceReservedEntries',
    group: 'ReservedEntries',
    summary: 'List the reserved entry groups of an occurrence',
    keys: ['ORGANIZER'],
    rate: 'wide',
    etag: true,
    answers: GROUPS_OF_OCCURRENCE,
  })
  ofOccurrence(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(GROUPS_OF_OCCURRENCE, page);
  }

  @Get('events/:id/reserved-entries')
  @Operation({
    name: 'listEventReservedEntries',
    group: 'Events',
    summary: 'List the reserved entry groups of an event',
    description: 'Of all occurrences of the event. Without `page[size]`, all items are returned.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    etag: true,
    answers: GROUPS_OF_EVENT,
  })
  ofEvent(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(GROUPS_OF_EVENT, page);
  }
}
