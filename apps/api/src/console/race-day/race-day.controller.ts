import { Controller, Get } from '@nestjs/common';
import { RACES_TO_PRINT, START_LIST_OF_RACE } from '#domain/participants';
import { raceDayFeed, UNIDENTIFIED } from '#domain/race-day';
import type { Caller } from '#platform/access';
import { Database } from '#platform/database';
import { Call, Operation, Page } from '#platform/http';
import { JsonText, type ListRequest, Lists } from '#platform/queries';
import { RACE_DAY } from '../roles';
import { RaceDayFeed } from './race-day.dto';

@Controller('console/v1')
export class StaffRaceDayController {
  constructor(
    private readonly database: Database,
    private readonly lists: Lists,
  ) {}

  @Get('race-day/feed')
  @Operation({
    ...RACE_DAY,
    name: 'getRaceDayFeed',
    summary: 'Read the live feed of race-day messages',
    description:
      'Messages per second over the last minutes, what waits and for what, and the newest messages. Ask every few seconds.',
    answers: RaceDayFeed,
  })
  async feed(@Call() { organizationId }: Caller): Promise<JsonText> {
    return new JsonText([await raceDayFeed(this.database.of(organizationId), organizationId)]);
  }

  @Get('race-day/unidentified')
  @Operation({
    ...RACE_DAY,
    name: 'listUnidentifiedMessages',
    summary: 'List the timing messages that name nobody yet, newest first',
    description: 'Those of all timing keys, with the reason of each.',
    answers: UNIDENTIFIED,
  })
  unidentified(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(UNIDENTIFIED, page);
  }

  @Get('race-day/races')
  @Operation({
    ...RACE_DAY,
    name: 'listRacesToPrint',
    summary: 'List the races with their waves, newest first',
    answers: RACES_TO_PRINT,
  })
  races(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(RACES_TO_PRINT, page);
  }

  @Get('races/:id/start-list')
  @Operation({
    ...RACE_DAY,
    name: 'getStartList',
    summary: 'List who starts in a race, to print lists and labels',
    description: 'Without cancelled entries and removed persons. The role `RACE_DAY` sees no answers.',
    answers: START_LIST_OF_RACE,
  })
  startList(@Page() page: ListRequest): Promise<JsonText> {
    return this.lists.page(START_LIST_OF_RACE, page);
  }
}
