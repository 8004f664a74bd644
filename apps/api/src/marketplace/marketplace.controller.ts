import { Controller, Get } from '@nestjs/common';
import { FOUND_EVENTS, MARKETPLACE_EVENTS, MarketplaceService, REMOVED_EVENTS } from '#domain/catalogue';
import { Operation, Page } from '#platform/http';
import type { JsonText, ListRequest } from '#platform/queries';
import { operationsOf } from '../operations-of';

const READ = operationsOf('Marketplace', 'marketplace:read', 'MARKETPLACE');

@Controller('marketplace/v1')
export class MarketplaceController {
  constructor(private readonly marketplace: MarketplaceService) {}

  // The documented path has a trailing slash; the path without it is served as well.
  @Get('events{/}')
  @Operation({
    ...READ,
    name: 'listMarketplaceEvents',
    summary: 'List the events',
    description:
      'Published, discoverable occurrences of all organizers, by start date. Without `startDate[gte]`, or a ' +
      '`startDate[lte]` in the past, only occurrences with a race today or later, in their time zone, are included.',
    answers: MARKETPLACE_EVENTS,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.marketplace.list(page);
  }

  @Get('removed-events')
  @Operation({
    ...READ,
    name: 'listRemovedMarketplaceEvents',
    summary: 'List the events that are no longer shown',
    description:
      'Occurrences that were in the list of events and are not now: withdrawn, hidden, postponed, cancelled, without a start date, or of an ' +
      'organizer that was closed. A mirror asks both lists with the same `lastModified[gte]`, stores what the list of events contains, and deletes what this one contains. ' +
      'Events that are over are not removed.',
    answers: REMOVED_EVENTS,
  })
  removed(@Page() page: ListRequest): Promise<JsonText> {
    return this.marketplace.removed(page);
  }

  @Get('events/search')
  @Operation({
    ...READ,
    name: 'searchMarketplaceEvents',
    summary: 'Search the events',
    description:
      'Every word must occur in the title, the city, the titles of races, the tags or the name of the organizer. ' +
      'The best match is first. Past events are excluded as in the list.',
    answers: FOUND_EVENTS,
  })
  search(@Page() page: ListRequest): Promise<JsonText> {
    return this.marketplace.search(page);
  }
}
