import { Controller, Get, Param } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { RACE, RACES_OF_OCCURRENCE, Race } from '#libs/events';
import { Call, Operation, Page } from '#libs/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#libs/resources';

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
    rate: 'wide',
    answers: Race,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(RACE, caller, id);
  }
}
