import { Body, Controller, Post } from '@nestjs/common';
import { ApiBody, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import type { Caller } from '#libs/access';
import { Call, Operation } from '#libs/http';
import { TimingMessage, TimingReceipt, TimingService } from '#libs/race-day';

const ONE = { $ref: getSchemaPath(TimingMessage) };

@Controller('timing-inbound/v1')
export class TimingController {
  constructor(private readonly timing: TimingService) {}

  @Post()
  @ApiExtraModels(TimingMessage)
  @ApiBody({
    required: true,
    schema: { oneOf: [ONE, { type: 'array', items: ONE, minItems: 1, maxItems: 500 }] },
  })
  @Operation({
    name: 'ingestTiming',
    group: 'Timing',
    summary: 'Send timing messages',
    description:
      'Takes one message, or an array of 1 to 500. All of them are stored before the answer is sent, and applied within moments; of a batch with a bad message none is. Messages may come late, twice and in any order: for the bib, and for each shipping field on its own, the one with the newest `changedAt` holds, and at equal times the one received later.',
    keys: ['TIMING'],
    rate: 'timing',
    answers: TimingReceipt,
    rawBody: true,
  })
  ingest(@Call() caller: Caller, @Body() body: Buffer) {
    return this.timing.ingest(caller, body);
  }
}
