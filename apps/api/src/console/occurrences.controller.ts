import { Controller, Get, Param } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Call, Operation } from '#libs/http';
import { type JsonText, Reads } from '#libs/resources';
import { OccurrenceOverview } from './occurrences.dto';
import { OCCURRENCE_OVERVIEW } from './occurrences.resource';

@Controller('console/v1/event-occurrences')
export class OccurrencesController {
  constructor(private readonly reads: Reads) {}

  @Get(':id')
  @Operation({
    name: 'getOccurrenceOverview',
    group: 'Console',
    summary: 'Read the used capacity and the entries by day of an event occurrence',
    keys: [],
    roles: ['OWNER', 'MANAGER', 'VIEWER'],
    rate: 'wide',
    answers: OccurrenceOverview,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(OCCURRENCE_OVERVIEW, caller, id);
  }
}
