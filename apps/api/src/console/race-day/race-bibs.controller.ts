import { Controller, Get, Param } from '@nestjs/common';
import { RACE_BIBS, RaceBibs } from '#domain/participants';
import type { Caller } from '#platform/access';
import { Call, Operation } from '#platform/http';
import { type JsonText, Reads } from '#platform/queries';
import { MANAGERS } from '../roles';

@Controller('console/v1/races')
export class RaceBibsController {
  constructor(private readonly reads: Reads) {}

  @Get(':id/bibs')
  @Operation({
    ...MANAGERS,
    name: 'getRaceBibs',
    summary: 'Read the highest bib of a race',
    description: 'The numbers after it are free.',
    answers: RaceBibs,
  })
  one(@Call() caller: Caller, @Param('id') id: string): Promise<JsonText> {
    return this.reads.one(RACE_BIBS, caller, id);
  }
}
