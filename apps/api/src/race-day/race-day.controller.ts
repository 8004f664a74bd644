import { Body, Controller, Param, Patch } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Call, Operation } from '#libs/http';
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
      'The update is stored before the response is sent and is visible within moments. It applies until a newer update is received. A bib that another participant of the race claimed earlier is not shown; `raceDayErrors` in the metadata of the participant then contains `BIB_NUMBER_TAKEN`.',
    keys: ['ORGANIZER'],
    rate: 'wide',
    answers: RaceDayReceipt,
    body: RaceDayUpdate,
  })
  update(@Call() caller: Caller, @Param('id') id: string, @Body() body: RaceDayUpdate) {
    return this.raceDay.update(caller, id, body);
  }
}
