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
      'Accepts one message, or an array of 1 to 500 messages. All messages are stored before the response is sent and are applied within moments. If one message is invalid, none is stored. Messages can be late, repeated and in any order: for the bib, and separately for each shipping field, the message with the newest `changedAt` applies; of messages with the same time, the one that was received last.',
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
