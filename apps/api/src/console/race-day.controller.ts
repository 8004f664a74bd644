import { Controller, Get } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Database } from '#libs/database';
import { Call, Operation } from '#libs/http';
import { raceDayFeed } from '#libs/race-day';
import { JsonText } from '#libs/resources';
import { RaceDayFeed } from './race-day.dto';

@Controller('console/v1/race-day')
export class StaffRaceDayController {
  constructor(private readonly database: Database) {}

  @Get('feed')
  @Operation({
    name: 'getRaceDayFeed',
    group: 'Console',
    summary: 'Read the live feed of race-day messages',
    description:
      'Messages per second over the last minutes, what waits and for what, and the newest messages. Ask every few seconds.',
    keys: [],
    roles: ['OWNER', 'MANAGER', 'RACE_DAY'],
    rate: 'wide',
    answers: RaceDayFeed,
  })
  async feed(@Call() { organizationId }: Caller): Promise<JsonText> {
    return new JsonText([await raceDayFeed(this.database.of(organizationId), organizationId)]);
  }
}
