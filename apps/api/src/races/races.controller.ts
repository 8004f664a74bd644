import { Controller, Get, Param } from '@nestjs/common';
import { RACE, RACES_OF_OCCURRENCE, Race } from '#domain/catalogue';
import type { Caller } from '#platform/access';
import { Call, Operation, Page } from '#platform/http';
import { type JsonText, type ListRequest, Lists, Reads } from '#platform/queries';
import { operationsOf } from '../operations-of';

const READ = { ...operationsOf('Races', 'catalogue:read'), forPartners: true } as const;

@Controller('v0')
export class RacesController {
  constructor(
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  @Get('event-occurrences/:id/races')
  @Operation({
    ...READ,
    name: 'listEventOccurrenceRaces',
    summary: 'List the races of an occurrence',
    description: 'In catalogue order. Without `page[size]`, all items are returned.',
    answers: RACES_OF_OCCURRENCE,
  })
  ofOccurrence(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(RACES_OF_OCCURRENCE, page);
  }

  @Get('races/:id')
  @Operation({
    ...READ,
    name: 'getRace',
    summary: 'Read a race',
    description: 'Includes its occurrence, event, course, waves and capacity.',
    answers: Race,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(RACE, caller, id);
  }
}
