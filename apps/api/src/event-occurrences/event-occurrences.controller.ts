import { Controller, Get, Param } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { CheckoutLinks, EVENT_OCCURRENCE, EVENT_OCCURRENCES, OrganizerEventOccurrence } from '#libs/events';
import { Call, Operation, Page } from '#libs/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#libs/resources';

@Controller('v0/event-occurrences')
export class EventOccurrencesController {
  constructor(
    private readonly lists: Lists,
    private readonly reads: Reads,
    private readonly checkoutLinks: CheckoutLinks,
  ) {}

  @Get()
  @Operation({
    name: 'listEventOccurrences',
    group: 'EventOccurrences',
    summary: 'List event occurrences',
    description:
      'Published and draft ones, discoverable or not, whatever their date, by start date. Only occurrences ' +
      'without a start date are left out.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    answers: EVENT_OCCURRENCES,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(EVENT_OCCURRENCES, page);
  }

  @Get(':id')
  @Operation({
    name: 'getEventOccurrence',
    group: 'EventOccurrences',
    summary: 'Read an event occurrence',
    description: 'With its races and the link to its checkout.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    answers: OrganizerEventOccurrence,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(EVENT_OCCURRENCE, caller, id, { checkoutTemplate: this.checkoutLinks.template() });
  }
}
