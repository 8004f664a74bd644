import { Controller, Get } from '@nestjs/common';
import { FOUND_EVENTS, MARKETPLACE_EVENTS, MarketplaceService } from '#libs/events';
import { Operation, Page } from '#libs/http';
import type { JsonText, ListRequest } from '#libs/resources';

@Controller('marketplace/v1')
export class MarketplaceController {
  constructor(private readonly marketplace: MarketplaceService) {}

  // The contract writes it with a slash at its end; clients that leave it out are served as well.
  @Get('events{/}')
  @Operation({
    name: 'listMarketplaceEvents',
    group: 'Marketplace',
    summary: 'List the events on offer',
    description:
      'Published, discoverable occurrences of all organizers, by start date. Those from today on, where each ' +
      'takes place, unless `startDate[gte]` sets another beginning or `startDate[lte]` lies in the past.',
    keys: ['MARKETPLACE'],
    rate: 'wide',
    answers: MARKETPLACE_EVENTS,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.marketplace.list(page);
  }

  @Get('events/search')
  @Operation({
    name: 'searchMarketplaceEvents',
    group: 'Marketplace',
    summary: 'Search the events on offer',
    description:
      'Every word must be found in the title, the city, the titles of races, the tags or the organizer’s name. ' +
      'The best match comes first. Past events are left out as they are from the list.',
    keys: ['MARKETPLACE'],
    rate: 'wide',
    answers: FOUND_EVENTS,
  })
  search(@Page() page: ListRequest): Promise<JsonText> {
    return this.marketplace.search(page);
  }
}
