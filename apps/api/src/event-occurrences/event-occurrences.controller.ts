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
      'By start date, including drafts, occurrences that are not discoverable, and past occurrences. Occurrences ' +
      'without a start date are not included.',
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
    description: 'Includes its races and the link to the checkout.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    answers: OrganizerEventOccurrence,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(EVENT_OCCURRENCE, caller, id, { checkoutTemplate: this.checkoutLinks.template() });
  }
}
