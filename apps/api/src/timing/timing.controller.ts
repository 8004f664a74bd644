import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  EXPORT_FORMATS,
  EXPORT_TYPES,
  type ExportFormat,
  ParticipantsExport,
  TIMING_PARTICIPANTS,
  TimingParticipant,
} from '#domain/participants';
import {
  MOST_TIMING_MESSAGES,
  TimingMessage,
  TimingReceipt,
  TimingService,
  TimingStatus,
  UNIDENTIFIED,
} from '#domain/race-day';
import type { Caller } from '#platform/access';
import { type ApiRequest, Call, Operation, Page, RACE_DAY, Sending } from '#platform/http';
import { filtersOf, type JsonText, type ListRequest, Lists, oneOf, type Parameters } from '#platform/queries';
import { operationsOf } from '../operations-of';

const READ = operationsOf('Timing', 'timing:read', 'TIMING');

const exportParameters: Parameters = {
  format: oneOf('How it is written.', EXPORT_FORMATS),
  ...Object.fromEntries(
    Object.entries(filtersOf(TIMING_PARTICIPANTS)).map(([name, { parameter }]) => [name, parameter]),
  ),
};

@Controller('timing-inbound/v1')
export class TimingController {
  constructor(
    private readonly timing: TimingService,
    private readonly lists: Lists,
    private readonly exports: ParticipantsExport,
    private readonly sending: Sending,
  ) {}

  @Post()
  @Operation({
    ...operationsOf('Timing', 'timing:write', 'TIMING'),
    name: 'ingestTiming',
    summary: 'Send timing messages',
    description:
      'Accepts one message, or an array of 1 to 500 messages. All messages are stored before the response is sent and are applied within moments. If one message is invalid, none is stored. Messages can be late, repeated and in any order: for the bib, and separately for each shipping field, the message with the newest `changedAt` applies; of messages with the same time, the one that was received last. The body has at most 16 MiB, which fits 500 messages with every property at its maximum length.',
    rate: 'timing',
    answers: TimingReceipt,
    body: TimingMessage,
    bodyLimit: 'timing',
    writes: RACE_DAY,
    orArrayOf: MOST_TIMING_MESSAGES,
  })
  ingest(@Call() caller: Caller, @Body() body: unknown) {
    return this.timing.ingest(caller, body);
  }

  @Get('status')
  @Operation({
    ...READ,
    name: 'getTimingStatus',
    summary: 'Read what became of timing messages',
    description:
      'The numbers of accepted, applied and waiting messages, what they wait for, and how far processing is behind. A key that is restricted to event occurrences sees the messages that it sent; other keys see those of all timing keys of the organization.',
    answers: TimingStatus,
  })
  status(@Call() caller: Caller): Promise<JsonText> {
    return this.timing.status(caller);
  }

  @Get('unidentified')
  @Operation({
    ...READ,
    name: 'listUnidentifiedTiming',
    summary: 'List the timing messages that name nobody yet',
    description:
      'Newest first, with the reason of each. They are kept for 30 days, and applied when the participant or the holder of the bib appears. Which messages a key sees is described for `getTimingStatus`.',
    answers: UNIDENTIFIED,
  })
  unidentified(@Page() page: ListRequest) {
    return this.lists.page(UNIDENTIFIED, page);
  }

  @Get('participants')
  @Operation({
    ...READ,
    name: 'listTimingParticipants',
    summary: 'List the participants of the key’s occurrences',
    description:
      'The approved entries of the key’s occurrences, including cancelled ones: ids, bib and race, and what the key reads of names, gender, age on the day of the race, year of birth, team, wave and answers (`key create --reads`). Everything else is `null`, as it is after a participant’s data was removed. To follow changes, continue with `sort[updatedAt]=1` and the cursor of the last page.',
    etag: true,
    answers: TIMING_PARTICIPANTS,
  })
  participants(@Page() page: ListRequest) {
    return this.lists.page(TIMING_PARTICIPANTS, page);
  }

  @Get('participants/export')
  @Operation({
    ...READ,
    name: 'exportTimingParticipants',
    summary: 'Export the participants of the key’s occurrences',
    description:
      'Streams the participants of `listTimingParticipants`, oldest first, as CSV (the default) or as NDJSON. The columns of the CSV have the names of RACE RESULT’s participant data fields where there is one: see [Race day](/docs/race-day). The last line is `#end,<rows>` in CSV and `{"end":true,"rows":<rows>}` in NDJSON: if it is missing, the stream was cut off: export again. In CSV, texts that a spreadsheet would evaluate as a formula have a leading apostrophe. Exports are recorded in the audit log.',
    rate: 'export',
    answers: TimingParticipant,
    streams: {
      'text/csv': '"Bib","Lastname","Firstname"\r\n"1042","Lovelace","Ada"\r\n#end,1\r\n',
      'application/x-ndjson': '',
    },
    query: exportParameters,
  })
  async export(@Req() { caller, values, cursors, ip }: ApiRequest, @Res() response: Response): Promise<void> {
    const { format = 'csv' } = values as { format?: ExportFormat };
    const by = { type: 'KEY', id: caller.keyId, origin: ip ?? null } as const;
    await this.sending.stream(response, await this.exports.beginForTiming(caller, values, cursors, by), {
      'content-type': EXPORT_TYPES[format],
      'content-disposition': `attachment; filename="participants.${format}"`,
    });
  }
}
