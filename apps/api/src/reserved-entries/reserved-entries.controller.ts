import { Controller, Get } from '@nestjs/common';
import { GROUPS_OF_EVENT, GROUPS_OF_OCCURRENCE } from '#domain/reserved-entries';
import { Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists } from '#platform/queries';

@Controller('v0')
export class ReservedEntriesController {
  constructor(private readonly lists: Lists) {}

  @Get('event-occurrences/:id/reserved-entries')
  @Operation({
    name: 'listEventOccurrenceReservedEntries',
    group: 'ReservedEntries',
    summary: 'List the reserved entry groups of an occurrence',
    keys: ['ORGANIZER'],
    permission: 'reservedEntries:read',
    forPartners: true,
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
    permission: 'reservedEntries:read',
    forPartners: true,
    rate: 'wide',
    etag: true,
    answers: GROUPS_OF_EVENT,
  })
  ofEvent(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(GROUPS_OF_EVENT, page);
  }
}
