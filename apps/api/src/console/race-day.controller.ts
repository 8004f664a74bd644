import { Controller, Get } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Database } from '#libs/database';
import { Call, Operation, Page } from '#libs/http';
import { raceDayFeed, UNIDENTIFIED } from '#libs/race-day';
import { JsonText, type ListRequest, Lists } from '#libs/resources';
import { RaceDayFeed } from './race-day.dto';

@Controller('console/v1/race-day')
export class StaffRaceDayController {
  constructor(
    private readonly database: Database,
    private readonly lists: Lists,
  ) {}

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

  @Get('unidentified')
  @Operation({
    name: 'listUnidentifiedMessages',
    group: 'Console',
    summary: 'List the timing messages that name nobody yet, newest first',
    description: 'Those of all timing keys, with the reason of each.',
    keys: [],
    roles: ['OWNER', 'MANAGER', 'RACE_DAY'],
    rate: 'wide',
    answers: UNIDENTIFIED,
  })
  unidentified(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(UNIDENTIFIED, page);
  }
}
