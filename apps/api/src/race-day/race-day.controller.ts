import { Body, Controller, Param, Patch, Req } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { type ApiRequest, Call, Operation } from '#libs/http';
import { RaceDayReceipt, RaceDayService, RaceDayUpdate } from '#libs/race-day';

@Controller('v0/participants')
export class RaceDayController {
  constructor(private readonly raceDay: RaceDayService) {}

  @Patch(':id/race-day')
  @Operation({
    name: 'updateRaceDay',
    group: 'Participants',
    summary: 'Set a participant’s bib and race-day fields',
    description:
      'The update is stored before the answer is sent, and shows within moments. It holds until something newer comes; with `changedAt` it gives way to what is newer already. A bib does not show where another participant of the race claimed it earlier, where the participant is cancelled, or where something newer holds: `conflicts` of the answer says so.',
    keys: ['ORGANIZER'],
    roles: ['OWNER', 'MANAGER', 'RACE_DAY'],
    rate: 'wide',
    answers: RaceDayReceipt,
    body: RaceDayUpdate,
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
