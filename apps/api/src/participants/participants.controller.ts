import { Body, Controller, Delete, Get, Param, Patch, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { BookingsService, MovesService, ParticipantMove } from '#domain/bookings';
import {
  CorrectionsService,
  EXPORT_FORMATS,
  EXPORT_TYPES,
  type ExportFormat,
  NewHolder,
  PARTICIPANT,
  PARTICIPANTS,
  PARTICIPANTS_OF_RACE,
  Participant,
  ParticipantCorrection,
  ParticipantsExport,
  PLACED_PARTICIPANT,
  TransferService,
} from '#domain/participants';
import type { Caller } from '#platform/access';
import {
  type ApiRequest,
  Call,
  digestOperation,
  Operation,
  Page,
  QueryValues,
  RECORD,
  repeatedAs,
  Sending,
} from '#platform/http';
import {
  Digests,
  extendMetadata,
  filtersOf,
  type ListRequest,
  Lists,
  oneOf,
  type Parameters,
  Reads,
  type Values,
} from '#platform/queries';
import { operationsOf } from '../operations-of';

const READ = { ...operationsOf('Participants', 'participants:read'), forPartners: true } as const;
const WRITE = operationsOf('Participants', 'participants:write');

/** The filters of the list, and what an item shows. */
const exportParameters: Parameters = {
  format: oneOf('How it is written.', EXPORT_FORMATS),
  ...Object.fromEntries(
    Object.entries(filtersOf(PARTICIPANTS)).map(([name, { parameter }]) => [name, parameter]),
  ),
  ...PARTICIPANTS.shows,
};

@Controller('v0')
export class ParticipantsController {
  constructor(
    private readonly lists: Lists,
    private readonly digests: Digests,
    private readonly reads: Reads,
    private readonly corrections: CorrectionsService,
    private readonly transfers: TransferService,
    private readonly moves: MovesService,
    private readonly bookings: BookingsService,
    private readonly exports: ParticipantsExport,
    private readonly sending: Sending,
  ) {}

  @Get('participants')
  @Operation({
    ...READ,
    name: 'listParticipants',
    summary: 'List all participants',
    description: 'The approved entries on your start lists. Cancelled and redacted entries are included.',
    etag: true,
    answers: PARTICIPANTS,
  })
  list(@Page() page: ListRequest) {
    return this.lists.page(PARTICIPANTS, page);
  }

  @Get('participants/export')
  @Operation({
    ...READ,
    name: 'exportParticipants',
    summary: 'Export participants',
    description:
      'Streams every participant that matches the filters, oldest first, as CSV (the default) or as NDJSON. See [Exporting](/docs/exporting) for the columns. The last line is `#end,<rows>` in CSV and `{"end":true,"rows":<rows>}` in NDJSON: if it is missing, the stream was cut off: export again. In CSV, texts that a spreadsheet would evaluate as a formula have a leading apostrophe. Exports are recorded in the audit log.',
    roles: ['OWNER', 'MANAGER'],
    rate: 'export',
    answers: Participant,
    streams: {
      'text/csv':
        '"participantId","bibNumber","firstName"\r\n"01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b","1042","Ada"\r\n#end,1\r\n',
      'application/x-ndjson': '',
    },
    query: exportParameters,
  })
  async export(@Req() { caller, values, cursors, ip }: ApiRequest, @Res() response: Response): Promise<void> {
    const { format = 'csv' } = values as { format?: ExportFormat };
    await this.sending.stream(
      response,
      await this.exports.begin(caller, values, cursors, actorOf(caller, ip)),
      {
        'content-type': EXPORT_TYPES[format],
        'content-disposition': `attachment; filename="participants.${format}"`,
      },
    );
  }

  @Get('participants/digest')
  @Operation(digestOperation('getParticipantsDigest', 'Participants', 'participants:read', 'participants'))
  digest(@Call() caller: Caller, @QueryValues() { bucket }: { bucket?: string }) {
    return this.digests.of(PARTICIPANTS, caller, bucket);
  }

  @Get('participants/:id')
  @Operation({
    ...READ,
    name: 'getParticipant',
    summary: 'Read a participant',
    etag: true,
    answers: Participant,
    query: { extendMetadata },
  })
  get(@Call() caller: Caller, @Param('id') id: string, @QueryValues() values: Values) {
    return this.reads.one(PARTICIPANT, caller, id, values);
  }

  @Patch('participants/:id')
  @Operation({
    ...WRITE,
    name: 'correctParticipant',
    idempotent: repeatedAs(PARTICIPANT),
    summary: 'Correct a participant',
    description:
      'Changes names, email and other answers, wave, team, tags, notes, bib and metadata. Absent properties do not change, nor do the ticket and its ' +
      'price. A bib shows at once. If another participant of the race has it, the response is `400` with the code ' +
      '`BIB_NUMBER_TAKEN` and the holder’s id, and nothing changes. A redacted or cancelled participant returns `400`. To ' +
      'correct many participants, use `PUT /v0/bookings/import`. A partner’s key adds what is missing: names, email, date of birth, gender and ' +
      'answers that have no value, by the rules of the reserved entry group for addresses, until its `deadline` (`403`). What has another value, and every other property, ' +
      'returns `400` with the code `NOT_CORRECTABLE`.',
    forPartners: true,
    answers: Participant,
    body: ParticipantCorrection,
  })
  correct(@Req() { caller, ip }: ApiRequest, @Param('id') id: string, @Body() body: object) {
    // It matches its schema, which has every rule: class-validator has nothing to add.
    return this.corrections.correct(caller, id, body as ParticipantCorrection, actorOf(caller, ip));
  }

  @Post('participants/:id/move')
  @Operation({
    ...WRITE,
    name: 'moveParticipant',
    writes: RECORD,
    idempotent: repeatedAs(PARTICIPANT),
    summary: 'Move a participant to another ticket or wave',
    description:
      'To another ticket or wave of the event occurrence. The difference of the tickets’ prices becomes a `TICKET` line item with the name ' +
      '`Change of ticket`, and part of the booking’s total. Ticket, race and wave must have a place left (`NO_CAPACITY_REMAINING`), a ticket in another currency ' +
      'returns `CURRENCY_MISMATCH`, and a reserved place stays one of its reserved entry group. In another race the participant has no bib. ' +
      'A redacted or cancelled participant returns `400`. Repeating the request changes nothing.',
    answers: Participant,
    body: ParticipantMove,
  })
  move(@Req() { caller, ip }: ApiRequest, @Param('id') id: string, @Body() body: object) {
    return this.moves.move(caller, id, body as ParticipantMove, actorOf(caller, ip));
  }

  @Post('participants/:id/transfer')
  @Operation({
    ...WRITE,
    name: 'transferParticipant',
    writes: RECORD,
    idempotent: repeatedAs(PLACED_PARTICIPANT),
    summary: 'Give the place of a participant to another person',
    description:
      'Id, bib, ticket, wave, team, add-ons and what was charged stay. What the former person said, and what was said of them, is ' +
      'replaced or cleared: names, email and answers, and tags, notes, opt-ins, submitted result, race-day fields, team roles, tracking of a shipping, reasons of decisions and metadata. If the ' +
      'former person is the booker and has no other active entry in the booking, the new person becomes the booker, and must have an email. The reserved entry ' +
      'group’s `domainRestriction` applies. A redacted or cancelled participant returns `400`.',
    forPartners: true,
    answers: Participant,
    body: NewHolder,
  })
  transfer(@Req() { caller, ip }: ApiRequest, @Param('id') id: string, @Body() body: object) {
    return this.transfers.transfer(caller, id, body as NewHolder, actorOf(caller, ip));
  }

  @Delete('participants/:id')
  @Operation({
    ...WRITE,
    name: 'cancelParticipant',
    summary: 'Cancel a participant',
    description:
      'For keys only of bookings with the `source` `API`; others return `403`. The participant stays readable, with a `CANCELLED` status detail; the ' +
      'other entries of the booking do not change. Cancelling frees the bib, the places and the external ids of the participant, ' +
      'its use of a discount code for entries, and its reserved place if the group has `reallocateOnCancel`. What was charged ' +
      'stays, and so do the external ids of line items and add-ons. With the last active entry, the booking is cancelled. Repeating the request succeeds and changes nothing.',
    forPartners: true,
    answers: Participant,
  })
  cancel(@Req() { caller, ip }: ApiRequest, @Param('id') id: string) {
    return this.bookings.cancelParticipant(caller, id, actorOf(caller, ip));
  }

  @Get('races/:id/participants')
  @Operation({
    ...READ,
    name: 'listRaceParticipants',
    summary: 'List the participants of a race',
    etag: true,
    answers: PARTICIPANTS_OF_RACE,
  })
  listOfRace(@Page() page: ListRequest) {
    return this.lists.page(PARTICIPANTS_OF_RACE, page);
  }
}

const actorOf = ({ kind, keyId }: Caller, ip: string | undefined) =>
  ({ type: kind === 'STAFF' ? 'STAFF' : 'KEY', id: keyId, origin: ip ?? null }) as const;
