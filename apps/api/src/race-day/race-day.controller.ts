import { Body, Controller, Param, Patch, Req } from '@nestjs/common';
import { RaceDayReceipt, RaceDayService, RaceDayUpdate } from '#domain/race-day';
import type { Caller } from '#platform/access';
import { type ApiRequest, Call, Operation, RACE_DAY } from '#platform/http';
import { operationsOf } from '../operations-of';

@Controller('v0/participants')
export class RaceDayController {
  constructor(private readonly raceDay: RaceDayService) {}

  @Patch(':id/race-day')
  @Operation({
    ...operationsOf('Participants', 'participants:write'),
    name: 'updateRaceDay',
    summary: 'Set a participant’s bib and race-day fields',
    description:
      'The update is stored before the response is sent, and shows within moments. It applies until a newer message arrives; with `changedAt`, it does not replace newer data. A bib does not show if another participant of the race claimed it earlier, if the participant is cancelled, or if a newer message applies: `conflicts` in the response lists these reasons.',
    roles: ['OWNER', 'MANAGER', 'RACE_DAY'],
    answers: RaceDayReceipt,
    body: RaceDayUpdate,
    writes: RACE_DAY,
    idempotent: true,
  })
  update(
    @Call() caller: Caller,
    @Param('id') id: string,
    @Body() body: RaceDayUpdate,
    @Req() { headers, operation }: ApiRequest,
  ) {
    return this.raceDay.update(caller, id, body, {
      operation: operation?.name ?? 'updateRaceDay',
      idempotencyKey: headers['idempotency-key'],
    });
  }
}
