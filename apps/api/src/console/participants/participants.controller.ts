import { Body, Controller, Get, Param, Patch, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  ChosenParticipants,
  EXPORT_TYPES,
  LISTED_PARTICIPANTS,
  Participant,
  ParticipantsExport,
  PERSON_WORK,
  PersonsService,
  PersonWork,
  StaffParticipant,
  StaffParticipantsService,
} from '#domain/participants';
import {
  RACE_DAY_MESSAGES_OF_PARTICIPANT,
  RaceDayReceipt,
  RaceDayService,
  StaffRaceDayUpdate,
} from '#domain/race-day';
import type { Caller } from '#platform/access';
import { STAFF_ROLES } from '#platform/database';
import {
  Act,
  type Acting,
  type ApiRequest,
  Call,
  madeBy,
  NEVER_REFUSED,
  Operation,
  Page,
  RACE_DAY,
  RECORD,
  repeatedAs,
  Sending,
} from '#platform/http';
import { type JsonText, type ListRequest, Lists } from '#platform/queries';
import { errors } from '#platform/validation';

const STAFF = { group: 'Console', keys: [], rate: 'wide' } as const;

@Controller('console/v1/participants')
export class StaffParticipantsController {
  constructor(
    private readonly participants: StaffParticipantsService,
    private readonly lists: Lists,
    private readonly raceDay: RaceDayService,
    private readonly exports: ParticipantsExport,
    private readonly sending: Sending,
    private readonly persons: PersonsService,
  ) {}

  @Get()
  @Operation({
    ...STAFF,
    name: 'listStaffParticipants',
    summary: 'List or search participants, newest first or in the order of a column',
    description:
      'For the role `RACE_DAY`, `search` is required and considers names and bibs only, and `email` and `dateOfBirth` are `null`.',
    roles: STAFF_ROLES,
    answers: LISTED_PARTICIPANTS,
  })
  list(@Page() page: ListRequest): Promise<JsonText> {
    if (page.caller.role === 'RACE_DAY' && !page.filters.includes('search'))
      throw errors.invalid('search is required for the role RACE_DAY');
    return this.lists.page(LISTED_PARTICIPANTS, page);
  }

  @Post('export')
  @Operation({
    ...STAFF,
    name: 'exportChosenParticipants',
    writes: RECORD,
    summary: 'Export the participants with these ids',
    description: 'As `exportParticipants`, of those that somebody chose. Recorded in the audit log.',
    roles: ['OWNER', 'MANAGER'],
    rate: 'export',
    body: ChosenParticipants,
    answers: Participant,
    streams: { 'text/csv': '"participantId","bibNumber"\r\n#end,0\r\n', 'application/x-ndjson': '' },
  })
  async export(
    @Act() { actor }: Acting,
    @Req() { caller, cursors }: ApiRequest,
    @Body() body: ChosenParticipants,
    @Res() response: Response,
  ): Promise<void> {
    const { format = 'csv' } = body;
    await this.sending.stream(response, await this.exports.beginOf(caller, body, cursors, actor), {
      'content-type': EXPORT_TYPES[format],
      'content-disposition': `attachment; filename="participants.${format}"`,
    });
  }

  @Get(':id')
  @Operation({
    ...STAFF,
    name: 'getStaffParticipant',
    summary: 'Read a participant with the newest messages of their race-day log',
    roles: STAFF_ROLES,
    answers: StaffParticipant,
    large: true,
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
      'As `updateRaceDay`, also for the parcel (`shipping`), with two refusals: a bib that another participant of the race has returns `400` with the code `BIB_NUMBER_TAKEN` and the holder’s id, and a cancelled participant `400` with `PARTICIPANT_CANCELLED`. Nothing is stored then. The bib shows at once, and fields within moments.',
    roles: ['OWNER', 'MANAGER', 'RACE_DAY'],
    answers: RaceDayReceipt,
    body: StaffRaceDayUpdate,
    writes: RACE_DAY,
    idempotent: true,
  })
  setRaceDay(
    @Call() caller: Caller,
    @Param('id') id: string,
    @Body() body: StaffRaceDayUpdate,
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
    rate: 'import',
    writes: NEVER_REFUSED,
    idempotent: repeatedAs(PERSON_WORK, madeBy()),
    summary: 'Permanently remove the person of an entry, and keep the entry',
    description: 'By a worker. Repeating the request also removes data that arrived since.',
    roles: ['OWNER', 'MANAGER'],
    answers: PersonWork,
  })
  redact(@Call() caller: Caller, @Act() { actor }: Acting, @Param('id') entryId: string): Promise<JsonText> {
    return this.persons.request(caller, actor, { kind: 'REDACT', entryId });
  }
}
