import { Body, Controller, Post, Req } from '@nestjs/common';
import { AddParticipantService, NewParticipant, ParticipantsChange } from '#domain/bookings';
import { STAFF_IMPORT_JOB, StaffImportJobDetail } from '#domain/imports';
import { Participant, PLACED_PARTICIPANT } from '#domain/participants';
import type { Caller } from '#platform/access';
import {
  Act,
  type Acting,
  type ApiRequest,
  Call,
  madeBy,
  Operation,
  recordsOf,
  repeatedAs,
} from '#platform/http';
import type { JsonText } from '#platform/queries';
import { MANAGERS } from '../roles';
import { ParticipantChangesService } from './participant-changes.service';

const isCancellation = (body: unknown): boolean => (body as ParticipantsChange).change.type === 'CANCEL';

@Controller('console/v1/participants')
export class StaffParticipantChangesController {
  constructor(
    private readonly changes: ParticipantChangesService,
    private readonly adding: AddParticipantService,
  ) {}

  @Post()
  @Operation({
    ...MANAGERS,
    name: 'addParticipant',
    idempotent: repeatedAs(PLACED_PARTICIPANT, madeBy()),
    summary: 'Add a participant by hand',
    description:
      'The participant gets a booking with the `source` `DASHBOARD`, with the rules of `POST /v0/bookings/import`; ticket, race and wave must have a place left (`NO_CAPACITY_REMAINING`), unless `beyondCapacity` is set. Repeating the request with the same `requestId` answers the same participant.',
    body: NewParticipant,
    answers: Participant,
  })
  add(@Call() caller: Caller, @Act() { actor }: Acting, @Body() body: object): Promise<JsonText> {
    return this.adding.add(caller, body as NewParticipant, actor);
  }

  @Post('changes')
  @Operation({
    ...MANAGERS,
    name: 'changeParticipants',
    writes: { ...recordsOf('totalRows'), isRemoval: isCancellation },
    idempotent: repeatedAs(STAFF_IMPORT_JOB, madeBy('jobId')),
    summary: 'Tag, untag, set the wave of, or cancel several participants',
    description:
      'Starts a job for the participants with the ids, or for all that match the filters, and answers it. Each participant gets an outcome: `UPDATED`, `CANCELLED`, `UNCHANGED`, or `FAILED`, for example with `NO_CAPACITY_REMAINING` of a wave. A change can be undone (`POST /v0/participant-changes/{jobId}/undo`), a cancellation cannot.',
    rate: 'import',
    body: ParticipantsChange,
    answers: StaffImportJobDetail,
  })
  start(
    @Call() caller: Caller,
    @Act() { actor }: Acting,
    @Req() { id }: ApiRequest,
    @Body() body: object,
  ): Promise<JsonText> {
    return this.changes.start(caller, body as ParticipantsChange, actor, id);
  }
}
