import { Body, Controller, Get, Param, Patch, Post, Req } from '@nestjs/common';
import {
  FoundParticipants,
  ParticipantRedaction,
  type ParticipantSearch,
  StaffParticipant,
  StaffParticipantsService,
} from '#domain/participants';
import {
  RACE_DAY_MESSAGES_OF_PARTICIPANT,
  RaceDayReceipt,
  RaceDayService,
  RaceDayUpdate,
} from '#domain/race-day';
import type { Caller } from '#platform/access';
import { STAFF_ROLES } from '#platform/database';
import { Act, type Acting, type ApiRequest, Call, Operation, Page, QueryValues } from '#platform/http';
import { freeText, id, type JsonText, type ListRequest, Lists, oneOf } from '#platform/queries';

const STAFF = { group: 'Console', keys: [], rate: 'wide' } as const;

@Controller('console/v1/participants')
export class StaffParticipantsController {
  constructor(
    private readonly participants: StaffParticipantsService,
    private readonly lists: Lists,
    private readonly raceDay: RaceDayService,
  ) {}

  @Get()
  @Operation({
    ...STAFF,
    name: 'searchParticipants',
    summary: 'Search participants by prefixes of words',
    description:
      'Every word must be a prefix of a word of the name, bib, email or external id; case and accents are ignored. The role `RACE_DAY` searches names and bibs only.',
    roles: STAFF_ROLES,
    query: {
      search: { ...freeText('At least two characters.', { min: 2, max: 100 }), required: true },
      eventOccurrenceId: id('Only participants of this event occurrence.'),
      raceId: id('Only participants of this race.'),
      ticketId: id('Only participants with this ticket.'),
      status: oneOf('Only participants with this status.', ['CONFIRMED', 'CANCELLED'] as const),
      tag: freeText('Only participants with this tag.', { max: 255 }),
    },
    answers: FoundParticipants,
  })
  search(@Call() caller: Caller, @QueryValues() values: ParticipantSearch) {
    return this.participants.search(caller, values);
  }

  @Get(':id')
  @Operation({
    ...STAFF,
    name: 'getStaffParticipant',
    summary: 'Read a participant with the newest messages of their race-day log',
    roles: STAFF_ROLES,
    answers: StaffParticipant,
  })
  one(@Req() { caller, cursors }: ApiRequest, @Param('id') id: string): Promise<JsonText> {
    return this.participants.one(caller, id, cursors);
  }

  @Get(':id/race-day-messages')
  @Operation({
    ...STAFF,
    name: 'listParticipantRaceDayMessages',
    summary: 'List the messages of the race-day log about a participant, newest first',
    roles: STAFF_ROLES,
    answers: RACE_DAY_MESSAGES_OF_PARTICIPANT,
  })
  messages(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(RACE_DAY_MESSAGES_OF_PARTICIPANT, page);
  }

  @Patch(':id/race-day')
  @Operation({
    ...STAFF,
    name: 'setRaceDay',
    summary: 'Set a participant’s bib and race-day fields, if nobody else has the bib',
    description:
      'As `updateRaceDay`, with two refusals: a bib that another participant of the race has returns `400` with the code `BIB_NUMBER_TAKEN` and the holder’s id, and a cancelled participant `400` with `PARTICIPANT_CANCELLED`. Nothing is stored then. The bib shows at once, and fields within moments.',
    roles: ['OWNER', 'MANAGER', 'RACE_DAY'],
    answers: RaceDayReceipt,
    body: RaceDayUpdate,
    idempotent: true,
  })
  setRaceDay(
    @Call() caller: Caller,
    @Param('id') id: string,
    @Body() body: RaceDayUpdate,
    @Req() { headers }: ApiRequest,
  ) {
    return this.raceDay.update(caller, id, body, {
      operation: 'setRaceDay',
      idempotencyKey: headers['idempotency-key'],
      checked: true,
    });
  }

  @Post(':id/redact')
  @Operation({
    ...STAFF,
    name: 'redactParticipant',
    summary: 'Permanently remove the person of an entry, and keep the entry',
    description: 'Repeating the request also removes data that arrived since.',
    roles: ['OWNER', 'MANAGER'],
    answers: ParticipantRedaction,
  })
  redact(@Act() acting: Acting, @Param('id') id: string) {
    return this.participants.redact(acting, id);
  }
}
