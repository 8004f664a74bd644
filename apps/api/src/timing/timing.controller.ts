import { Body, Controller, Get, Post } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Call, Operation, Page } from '#libs/http';
import {
  MOST_TIMING_MESSAGES,
  TimingMessage,
  TimingReceipt,
  TimingService,
  TimingStatus,
  UNIDENTIFIED,
} from '#libs/race-day';
import { type JsonText, type ListRequest, Lists } from '#libs/resources';
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

  @Get('status')
  @Operation({
    name: 'getTimingStatus',
    group: 'Timing',
    summary: 'Read what became of timing messages',
    description:
      'The numbers of accepted, applied and waiting messages, what they wait for, and how far processing is behind. A key that is restricted to event occurrences sees the messages that it sent; other keys see those of all timing keys of the organization.',
    keys: ['TIMING'],
    rate: 'wide',
    answers: TimingStatus,
  })
  status(@Call() caller: Caller): Promise<JsonText> {
    return this.timing.status(caller);
  }

  @Get('unidentified')
  @Operation({
    name: 'listUnidentifiedTiming',
    group: 'Timing',
    summary: 'List the timing messages that name nobody yet',
    description:
      'Newest first, with the reason of each. They are kept for 30 days, and applied when the participant or the holder of the bib appears. Which messages a key sees is described for `getTimingStatus`.',
    keys: ['TIMING'],
    rate: 'wide',
    answers: UNIDENTIFIED,
  })
  unidentified(@Page() page: ListRequest) {
    return this.lists.page(UNIDENTIFIED, page);
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
