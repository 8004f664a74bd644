import { Body, Controller, Post } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Call, Operation } from '#libs/http';
import { MOST_TIMING_MESSAGES, TimingMessage, TimingReceipt, TimingService } from '#libs/race-day';

@Controller('timing-inbound/v1')
export class TimingController {
  constructor(private readonly timing: TimingService) {}

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
}
