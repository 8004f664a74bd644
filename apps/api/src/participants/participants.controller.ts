import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { CorrectionsService, ParticipantCorrection } from '#libs/bookings';
import { Call, Operation, Page, Query } from '#libs/http';
import { extendMetadata, type ListRequest, Lists, Reads, type Values } from '#libs/resources';
import { PARTICIPANT, PARTICIPANTS, PARTICIPANTS_OF_RACE, Participant } from '#libs/start-list';

@Controller('v0')
export class ParticipantsController {
  constructor(
    private readonly lists: Lists,
    private readonly reads: Reads,
    private readonly corrections: CorrectionsService,
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

  @Patch('participants/:id')
  @Operation({
    name: 'correctParticipant',
    group: 'Participants',
    summary: 'Correct a participant',
    description:
      'Changes names, email and other answers, wave, team, tags, bib and metadata; what is left out stays as it is. The ticket and its price ' +
      'stay. A bib is a claim as of now, and shows within moments. A redacted participant, and one whose booking is cancelled, answers `400`. To ' +
      'correct many, `PUT /v0/bookings/import`.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    answers: Participant,
    body: ParticipantCorrection,
  })
  correct(@Call() caller: Caller, @Param('id') id: string, @Body() body: object) {
    // It matches its schema, which has every rule: class-validator has nothing to add.
    return this.corrections.correct(caller, id, body as ParticipantCorrection);
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
