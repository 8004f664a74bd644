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
      'Accepts one message, or an array of 1 to 500 messages. All messages are stored before the response is sent and are applied within moments. If one message is invalid, none is stored. Messages can be late, repeated and in any order: for the bib, and separately for each shipping field, the message with the newest `changedAt` applies; of messages with the same time, the one that was received last. The body has at most 16 MiB, which fits 500 messages with every property at its maximum length.',
    keys: ['TIMING'],
    rate: 'timing',
    answers: TimingReceipt,
    body: TimingMessage,
    bodyLimit: 'timing',
    orArrayOf: MOST_TIMING_MESSAGES,
  })
  ingest(@Call() caller: Caller, @Body() body: unknown) {
    return this.timing.ingest(caller, body);
  }

  @Get('participants')
  @Operation({
    name: 'listTimingParticipants',
    group: 'Timing',
    summary: 'List the participants of the key’s occurrences',
    description:
      'The approved entries of the key’s occurrences, including cancelled ones: ids, bib, race and wave. Names are included for keys that were created with `--names`. To follow changes, continue with `sort[updatedAt]=1` and the cursor of the last page.',
    keys: ['TIMING'],
    rate: 'wide',
    etag: true,
    answers: TIMING_PARTICIPANTS,
  })
  participants(@Page() page: ListRequest) {
    return this.lists.page(TIMING_PARTICIPANTS, page);
  }
}
