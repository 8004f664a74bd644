import { Controller, Get, Param } from '@nestjs/common';
import {
  TICKET_DETAILS,
  TICKETS_OF_EVENT,
  TICKETS_OF_OCCURRENCE,
  TICKETS_OF_RACE,
  TicketDetails,
} from '#domain/catalogue';
import type { Caller } from '#platform/access';
import { Call, Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';
import { operationsOf } from '../operations-of';

const READ = { ...operationsOf('Tickets', 'catalogue:read'), forPartners: true } as const;

@Controller('v0')
export class TicketsController {
  constructor(
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  @Get('event-occurrences/:id/tickets')
  @Operation({
    ...READ,
    name: 'listEventOccurrenceTickets',
    summary: 'List the tickets of an occurrence',
    description: 'All tickets that are not deleted, with any `availability`, in catalogue order.',
    answers: TICKETS_OF_OCCURRENCE,
  })
  ofOccurrence(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(TICKETS_OF_OCCURRENCE, page);
  }

  @Get('events/:id/tickets')
  @Operation({
    ...operationsOf('Events', 'catalogue:read'),
    name: 'listEventTickets',
    summary: 'List the available tickets of an event',
    description:
      "The available tickets of the event's next occurrence. If there is no upcoming occurrence, the list is empty. " +
      'Without `page[size]`, all items are returned.',
    forPartners: true,
    answers: TICKETS_OF_EVENT,
  })
  ofEvent(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(TICKETS_OF_EVENT, page);
  }

  @Get('races/:id/tickets')
  @Operation({
    ...READ,
    name: 'listRaceTickets',
    summary: 'List the tickets of a race',
    description: 'All tickets that are not deleted, with any `availability`, in catalogue order.',
    answers: TICKETS_OF_RACE,
  })
  ofRace(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(TICKETS_OF_RACE, page);
  }

  @Get('tickets/:id')
  @Operation({
    ...READ,
    name: 'getTicket',
    summary: 'Read a ticket',
    description: 'Deleted tickets can be read and have `isDeleted: true`.',
    answers: TicketDetails,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(TICKET_DETAILS, caller, id);
  }
}
