import { Controller, Get } from '@nestjs/common';
import { GROUPS_OF_EVENT, GROUPS_OF_OCCURRENCE } from '#domain/reserved-entries';
import { Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists } from '#platform/queries';
import { operationsOf } from '../operations-of';

@Controller('v0')
export class ReservedEntriesController {
  constructor(private readonly lists: Lists) {}

  @Get('event-occurrences/:id/reserved-entries')
  @Operation({
    ...operationsOf('ReservedEntries', 'reservedEntries:read'),
    name: 'listEventOccurrenceReservedEntries',
    summary: 'List the reserved entry groups of an occurrence',
    forPartners: true,
    etag: true,
    answers: GROUPS_OF_OCCURRENCE,
  })
  ofOccurrence(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(GROUPS_OF_OCCURRENCE, page);
  }

  @Get('events/:id/reserved-entries')
  @Operation({
    ...operationsOf('Events', 'reservedEntries:read'),
    name: 'listEventReservedEntries',
    summary: 'List the reserved entry groups of an event',
    description: 'Of all occurrences of the event. Without `page[size]`, all items are returned.',
    forPartners: true,
    etag: true,
    answers: GROUPS_OF_EVENT,
  })
  ofEvent(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(GROUPS_OF_EVENT, page);
  }
}
