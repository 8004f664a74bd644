import { Controller, Get, Param } from '@nestjs/common';
import {
  CheckoutLinks,
  EVENT_OCCURRENCE,
  EVENT_OCCURRENCES,
  OrganizerEventOccurrence,
} from '#domain/catalogue';
import type { Caller } from '#platform/access';
import { Call, Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';
import { operationsOf } from '../operations-of';

const READ = { ...operationsOf('EventOccurrences', 'catalogue:read'), forPartners: true } as const;

@Controller('v0/event-occurrences')
export class EventOccurrencesController {
  constructor(
    private readonly lists: Lists,
    private readonly reads: Reads,
    private readonly checkoutLinks: CheckoutLinks,
  ) {}

  @Get()
  @Operation({
    ...READ,
    name: 'listEventOccurrences',
    summary: 'List event occurrences',
    description:
      'By start date, including drafts, occurrences that are not discoverable, and past occurrences. Occurrences ' +
      'without a start date are not included.',
    answers: EVENT_OCCURRENCES,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(EVENT_OCCURRENCES, page);
  }

  @Get(':id')
  @Operation({
    ...READ,
    name: 'getEventOccurrence',
    summary: 'Read an event occurrence',
    description: 'Includes its races and the link to the checkout.',
    answers: OrganizerEventOccurrence,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(EVENT_OCCURRENCE, caller, id, { checkoutTemplate: this.checkoutLinks.template() });
  }
}
