import { Controller, Get, Param } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Call, Operation, Page, Query } from '#libs/http';
import { extendMetadata, type ListRequest, Lists, Reads, type Values } from '#libs/resources';
import { PARTICIPANT, PARTICIPANTS, PARTICIPANTS_OF_RACE, Participant } from '#libs/start-list';

@Controller('v0')
export class ParticipantsController {
  constructor(
    private readonly lists: Lists,
    private readonly reads: Reads,
  ) {}

  @Get('participants')
  @Operation({
    name: 'listParticipants',
    group: 'Participants',
    summary: 'List all participants',
    description: 'The approved entries on your start lists. Cancelled and redacted entries are included.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    answers: PARTICIPANTS,
  })
  list(@Page() page: ListRequest) {
    return this.lists.page(PARTICIPANTS, page);
  }

  @Get('participants/:id')
  @Operation({
    name: 'getParticipant',
    group: 'Participants',
    summary: 'Read a participant',
    keys: ['ORGANIZER'],
    rate: 'wide',
    answers: Participant,
    query: { extendMetadata },
  })
  get(@Call() caller: Caller, @Param('id') id: string, @Query() values: Values) {
    return this.reads.one(PARTICIPANT, caller, id, values);
  }

  @Get('races/:id/participants')
  @Operation({
    name: 'listRaceParticipants',
    group: 'Participants',
    summary: 'List the participants of a race',
    keys: ['ORGANIZER'],
    rate: 'wide',
    answers: PARTICIPANTS_OF_RACE,
  })
  listOfRace(@Page() page: ListRequest) {
    return this.lists.page(PARTICIPANTS_OF_RACE, page);
  }
}
