import { Body, Controller, Get, Post } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Call, Operation, Page } from '#libs/http';
import { MOST_TIMING_MESSAGES, TimingMessage, TimingReceipt, TimingService } from '#libs/race-day';
import { type ListRequest, Lists } from '#libs/resources';
import { TIMING_PARTICIPANTS } from '#libs/start-list';

@Controller('timing-inbound/v1')
export class TimingController {
  constructor(
    private readonly timing: TimingService,
    private readonly lists: Lists,
  ) {}

  @Post()
  @Operation({
    name: 'ingestTiming',
    group: 'Timing',
    summary: 'Send timing messages',
    description:
      'Takes one message, or an array of 1 to 500. All of them are stored before the answer is sent, and applied within moments; of a batch with a bad message none is. Messages may come late, twice and in any order: for the bib, and for each shipping field on its own, the one with the newest `changedAt` holds, and at equal times the one received later.',
    keys: ['TIMING'],
    rate: 'timing',
    answers: TimingReceipt,
    body: TimingMessage,
    orArrayOf: MOST_TIMING_MESSAGES,
  })
  ingest(@Call() caller: Caller, @Body() body: unknown) {
    return this.timing.ingest(caller, body);
  }

  @Get('participants')
  @Operation({
    name: 'listTimingParticipants',
    group: 'Timing',
    summary: 'List the participants to time',
    description:
      'The approved entries of the key’s occurrences, cancelled ones included: ids, bib, race and wave. Names are there for keys that were created with `--names`. To follow changes, read on with `sort[updatedAt]=1` and the cursor of the last page.',
    keys: ['TIMING'],
    rate: 'wide',
    answers: TIMING_PARTICIPANTS,
  })
  participants(@Page() page: ListRequest) {
    return this.lists.page(TIMING_PARTICIPANTS, page);
  }
}
