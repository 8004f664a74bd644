import { Controller, Get, Param } from '@nestjs/common';
import { RACE, RACES_OF_OCCURRENCE, Race } from '#domain/catalogue';
import type { Caller } from '#platform/access';
import { Call, Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';

@Controller('v0')
export class RacesController {
  constructor(
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  @Get('event-occurrences/:id/races')
  @Operation({
    name: 'listEventOccurrenceRaces',
    group: 'Races',
    summary: 'List the races of an occurrence',
    description: 'In catalogue order. Without `page[size]`, all items are returned.',
    keys: ['ORGANIZER'],
    permission: 'catalogue:read',
    forPartners: true,
    rate: 'wide',
    answers: RACES_OF_OCCURRENCE,
  })
  ofOccurrence(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(RACES_OF_OCCURRENCE, page);
  }

  @Get('races/:id')
  @Operation({
    name: 'getRace',
    group: 'Races',
    summary: 'Read a race',
    description: 'Includes its occurrence, event, course, waves and capacity.',
    keys: ['ORGANIZER'],
    permission: 'catalogue:read',
    forPartners: true,
    rate: 'wide',
    answers: Race,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(RACE, caller, id);
  }
}
